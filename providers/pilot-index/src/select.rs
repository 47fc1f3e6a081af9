//! What deserves to be said. Nothing here touches the outside world.
