//! What is called.

/// A call, the same every time.
pub(crate) struct Call {
    /// What it is called in the report.
    pub(crate) name: &'static str,
    /// The parameters of `tools/call`.
    pub(crate) params: String,
    /// How many bytes its answer has at least.
    pub(crate) size: usize,
    /// How many of the calls of a plan are made: big answers take longer.
    pub(crate) share: u32,
    /// Whether the bars hold for it; the others show where the time goes.
    pub(crate) has_bars: bool,
}

impl Call {
    /// Something for the child of this bench that is answered with so many bytes of text.
    pub(crate) fn sized(name: &'static str, size: usize, share: u32) -> Self {
        Self {
            name,
            params: format!(r#"{{"name":"echo","arguments":{{"size":{size}}}}}"#),
            size,
            share,
            has_bars: true,
        }
    }

    /// Something for `examples/minimal`.
    pub(crate) fn minimal() -> Self {
        Self {
            name: "official SDK",
            params: r#"{"name":"share","arguments":{"article":"tea","people":2}}"#.to_owned(),
            size: 0,
            share: 2,
            has_bars: true,
        }
    }
}
