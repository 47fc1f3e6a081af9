//! Nothing of its own: the tests are in `suites/`, the libraries they load in `rogue/`.
