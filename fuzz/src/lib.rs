//! Nothing but the manifest of the fuzz targets: a package needs a library or a binary.
