"""Which tests know a library, and in which order they are asked."""
import re

# The targets that are built and asked. What only a sample's tests would notice survives.
TARGETS = {
    "Streams": ["StreamsTests", "MoonlightTests"],
    "StreamLimits": ["StreamLimitsTests"],
    "Moonlight": ["MoonlightTests", "MoonlightTestingTests"],
    "MoonlightTesting": ["MoonlightTestingTests"],
    "MoonlightRecording": ["MoonlightRecordingTests"],
    "MoonlightExploration": ["MoonlightExplorationTests"],
    "MoonFoundation": ["MoonFoundationTests"],
}
# What the scenes of forced schedules are made of.
FORCED = ["Streams", "StreamLimits", "Moonlight", "MoonlightTesting"]
# The targets of libraries above that are asked, too: a part of a library exists for them, and they test it. A loop's gate
# is for durable stores, ready values for explorations, and the source of a plan for both explorations and recordings.
GUESTS = {
    "Moonlight": ["MoonlightDurabilityTests", "MoonlightExplorationTests", "MoonlightRecordingTests"],
    "MoonlightTesting": ["MoonlightExplorationTests", "MoonlightRecordingTests"],
}
# A suite of a guest is asked if it takes no more seconds of CPU time than this, and none of those that try every crash, every
# order or every program.
LONG = 6
EXHAUSTIVE = re.compile(r"Crash|Oracle|Interleaving|Damage|BruteForce")


def targets(libraries):
    """What is built for mutations of these libraries."""
    return list(dict.fromkeys(target for library in libraries for target in TARGETS[library] + GUESTS.get(library, [])))


def guests(libraries):
    """Those of the targets that are built only because their libraries use these."""
    own = {target for library in libraries for target in TARGETS[library]}
    return [target for target in targets(libraries) if target not in own]
