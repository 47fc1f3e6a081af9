pub(crate) fn x() {}
