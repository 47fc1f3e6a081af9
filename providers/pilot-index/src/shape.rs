//! What is said, to the model, to a person, to a program. Nothing here touches the outside world.
