//! Tests of the provider.
