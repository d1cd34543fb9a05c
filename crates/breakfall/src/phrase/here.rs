//! Failures of this machine and of the services it calls: fixed sentences, since the words of the error itself name files
//! and hosts.

use super::{Phrase, phrases};

phrases! {
    HERE:
    // Errors of the operating system.
    IO_NOT_FOUND = "io-not-found", "File or resource does not exist";
    IO_PERMISSION_DENIED = "io-permission-denied", "Permission denied: server may not use the file or resource";
    IO_READ_ONLY = "io-read-only", "Permission denied: storage is read-only";
    IO_ALREADY_EXISTS = "io-already-exists", "File or resource exists already";
    IO_REFUSED = "io-refused", "Connection was refused";
    IO_RESET = "io-reset", "Connection was reset by the other side";
    IO_ABORTED = "io-aborted", "Connection was aborted";
    IO_NOT_CONNECTED = "io-not-connected", "Connection is not open";
    IO_BROKEN_PIPE = "io-broken-pipe", "Connection was closed by the other side";
    IO_HOST_UNREACHABLE = "io-host-unreachable", "Host cannot be reached";
    IO_NETWORK_UNREACHABLE = "io-network-unreachable", "Network cannot be reached";
    IO_NETWORK_DOWN = "io-network-down", "Network is down";
    IO_ADDRESS_NOT_AVAILABLE = "io-address-not-available", "Network address is not available";
    IO_ADDRESS_IN_USE = "io-address-in-use", "Network address is in use by somebody else";
    IO_TIMED_OUT = "io-timed-out", "Operation took too long";
    IO_WOULD_BLOCK = "io-would-block", "Resource is busy";
    IO_BUSY = "io-busy", "Resource is in use by somebody else";
    IO_EXECUTABLE_BUSY = "io-executable-busy", "Program file is in use";
    IO_DEADLOCK = "io-deadlock", "Resource is locked by somebody else";
    IO_INTERRUPTED = "io-interrupted", "Operation was interrupted";
    IO_INVALID_INPUT = "io-invalid-input", "Value cannot be used for the operation";
    IO_INVALID_FILENAME = "io-invalid-filename", "File name is invalid";
    IO_NOT_A_DIRECTORY = "io-not-a-directory", "Path does not lead to a directory";
    IO_IS_A_DIRECTORY = "io-is-a-directory", "Path leads to a directory";
    IO_DIRECTORY_NOT_EMPTY = "io-directory-not-empty", "Directory is not empty";
    IO_FILE_TOO_LARGE = "io-file-too-large", "File is too large";
    IO_ARGUMENTS_TOO_LONG = "io-arguments-too-long", "Arguments of the program are too long";
    IO_INVALID_DATA = "io-invalid-data", "Data cannot be read: it is malformed";
    IO_UNEXPECTED_END = "io-unexpected-end", "Data ended too early";
    IO_WRITE_ZERO = "io-write-zero", "Data could not be written";
    IO_STALE_HANDLE = "io-stale-handle", "Network storage lost the file";
    IO_STORAGE_FULL = "io-storage-full", "Storage of the server is full";
    IO_STORAGE_QUOTA = "io-storage-quota", "Storage quota of the server is used up";
    IO_OUT_OF_MEMORY = "io-out-of-memory", "Server is out of memory";
    IO_UNSUPPORTED = "io-unsupported", "Operation is not supported here";

    // Processes that ended.
    EXIT_NOT_FOUND = "exit-not-found", "Command of the server was not found";
    EXIT_NOT_EXECUTABLE = "exit-not-executable", "Command of the server cannot be executed";
    EXIT_CONFIGURATION = "exit-configuration", "Server ended because it is configured wrongly";
    EXIT_START_SUCCESS = "exit-start-success", "Command ended without serving: it may not be a server";
    EXIT_UNEXPECTED_END = "exit-unexpected-end", "Server ended while it was in use";
    EXIT_TEMPORARY = "exit-temporary", "Server ended for a reason it calls temporary";
    EXIT_KILLED = "exit-killed", "Server was killed by {signal}";
    EXIT_STOPPED = "exit-stopped", "Server was terminated by {signal}";
    EXIT_OUT_OF_MEMORY = "exit-out-of-memory", "Server ran out of memory";
    EXIT_CRASH = "exit-crash", "Server crashed";
    EXIT_FAILED = "exit-failed", "Server ended with an error";
    EXIT_START_FAILED = "exit-start-failed", "Server ended with an error while it started";

    // Calls of services.
    SERVICE_OTHER = "service-other", "Request could not be completed";
    SERVICE_TIMEOUT = "service-timeout", "Service did not answer in time";
    SERVICE_TLS = "service-tls", "Service failed the TLS handshake";
    SERVICE_UNREADABLE = "service-unreadable", "Answer of the service is unreadable";
    SERVICE_BROKEN_OFF = "service-broken-off", "Connection broke off during the transfer";
    SERVICE_CLOSED = "service-closed", "Connection was closed before the answer came";
    SERVICE_UNBUILT = "service-unbuilt", "Request could not be built";
    SERVICE_DNS = "service-dns", "Name of the service is not known to the network";
    SERVICE_CONNECT = "service-connect", "Service cannot be reached";
    SERVICE_REDIRECT = "service-redirect", "Service redirects without end";
    SERVICE_UPGRADE = "service-upgrade", "Service does not speak the protocol it was asked to";
    SERVICE_BUILDER = "service-builder", "Request to the service could not be built";
    HTTP_STATUS = "http-status", "HTTP status {status}";

    // Texts that cannot be read.
    JSON_SYNTAX = "json-syntax", "JSON is malformed";
    JSON_END = "json-end", "JSON ended too early";
    JSON_IO = "json-io", "JSON could not be moved";
    JSON_DATA = "json-data", "JSON does not have the expected form";
    JSON_VALUE = "json-value", "Value does not have the expected form";
    PARSE_TEXT = "parse-text", "Text is not UTF-8";
    PARSE_RANGE = "parse-range", "Number is out of range";
    PARSE_INTEGER = "parse-integer", "Value is not a whole number";
    PARSE_NUMBER = "parse-number", "Value is not a number";
    PARSE_BOOLEAN = "parse-boolean", "Value is neither true nor false";
}
