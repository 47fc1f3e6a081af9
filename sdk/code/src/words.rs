//! Words: names and prose taken apart, the same way for what is indexed and for what is asked.
