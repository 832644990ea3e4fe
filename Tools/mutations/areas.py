"""The test targets that judge the mutations of a library, in order."""
import re

# The targets that are built and run. A mutation that only a sample's tests would notice survives.
TARGETS = {
    "Streams": ["StreamsTests", "MoonlightTests"],
    "StreamLimits": ["StreamLimitsTests"],
    "IdentifiedLists": ["MoonlightTests"],
    "PlainText": ["MoonlightTests", "MoonlightTestingTests"],
    "LoopValues": ["MoonlightTests", "MoonlightTestingTests"],
    "Moonlight": ["MoonlightTests", "MoonlightTestingTests"],
    "MoonlightTesting": ["MoonlightTestingTests"],
    "MoonlightRecording": ["MoonlightRecordingTests"],
    "MoonlightExploration": ["MoonlightExplorationTests"],
    "MoonlightDurability": ["MoonlightDurabilityTests"],
    "MoonPresentation": ["MoonPresentationTests"],
    "MoonFoundation": ["MoonFoundationTests"],
}
# The libraries that the tests with forced schedules cover.
FORCED = ["Streams", "StreamLimits", "Moonlight", "MoonlightTesting"]
# Test targets of libraries above that also run, because part of the library exists for them and is tested there. A loop's gate
# serves durable stores, ready values serve explorations, and the source of a plan serves explorations and recordings.
GUESTS = {
    "Moonlight": ["MoonlightDurabilityTests", "MoonlightExplorationTests", "MoonlightRecordingTests"],
    "MoonlightTesting": ["MoonlightExplorationTests", "MoonlightRecordingTests"],
}
# A suite of such a target runs if it takes at most this many seconds of CPU time. Suites that try every crash, order or program
# never do.
LONG = 6
EXHAUSTIVE = re.compile(r"Crash|Oracle|Interleaving|Damage|BruteForce")


def targets(libraries):
    """Returns the test targets that are built for mutations of these libraries."""
    return list(dict.fromkeys(target for library in libraries for target in TARGETS[library] + GUESTS.get(library, [])))


def guests(libraries):
    """Returns the targets that are built only because their libraries depend on these."""
    own = {target for library in libraries for target in TARGETS[library]}
    return [target for target in targets(libraries) if target not in own]
