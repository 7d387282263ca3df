"""Pictures of tours: in characters, and in whatever can be made from the one drawing path."""
