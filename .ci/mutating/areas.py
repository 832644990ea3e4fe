"""Which tests know a library, and in which order they are asked."""

# The targets that are built and asked. What only a sample's tests would notice survives.
TARGETS = {
    "Streams": ["StreamsTests", "MoonlightTests"],
    "Moonlight": ["MoonlightTests", "MoonlightTestingTests"],
    "MoonlightTesting": ["MoonlightTestingTests"],
    "MoonlightRecording": ["MoonlightRecordingTests"],
    "MoonlightExploration": ["MoonlightExplorationTests"],
    "MoonFoundation": ["MoonFoundationTests", "MoonDecimalNumberTests"],
}


def targets(libraries):
    """What is built for mutations of these libraries."""
    return list(dict.fromkeys(target for library in libraries for target in TARGETS[library]))
