# Shortcuts for frequent commands: see CONTRIBUTING.md.

# The steps of the nightly that have no separate target below.
NIGHTLY := $(shell sed -nE 's/^([a-z]+)\(\) \{ \# .*/\1/p' .ci/nightly | grep -vxE 'schedules|serial|mutations')

.PHONY: check test test-only format api docs links pictures schedules tsan asan serial mutations fairness soak terminal fleet \
	server-kills auction-load integrations-tsan size ci nightly $(NIGHTLY)

# Before a commit: seconds, and nothing is built.
check:
	.ci/check

# All tests, with a small budget. MOONLIGHT_EXHAUSTIVE=1 tries everything; MOONLIGHT_SEED=… repeats a seed that a run has printed.
test:
	swift test

# One library: make test-only LIB=Streams
test-only:
	ONLY=$(LIB)Tests swift test --scratch-path .build-only-$(LIB)

format:
	swift format -i --parallel --recursive Package.swift Sources Samples Tests Tools Benchmarks/Package.swift Benchmarks/Sources \
		Benchmarks/Shared Benchmarks/Programs Integrations/Package.swift Integrations/Sources Integrations/Samples Integrations/Tests

# Updates the list of the public API after an intended change.
api:
	.ci/api

docs:
	.ci/docs

links:
	.ci/links

pictures:
	Documentation/draw
	Documentation/numbers

# After a change to a lock, an atomic or a mailbox.
schedules:
	SCHEDULES=1 swift test --scratch-path .build-schedules-debug

# The tests of some targets under a sanitizer: make tsan LIB=Streams
tsan asan:
	TSAN_OPTIONS=suppressions=$(CURDIR)/.ci/races ONLY=$(LIB)Tests swift test --sanitize=$(if $(filter tsan,$@),thread -Xswiftc -DTHREAD_SANITIZER,address) \
		--scratch-path .build-$@-$(LIB)

# One test at a time, which finds tests that rely on other threads being slower.
serial:
	swift test --no-parallel

# The written mutations or, with SAMPLE, generated ones: make mutations SAMPLE=100 [SEED=…]
mutations:
	Tools/mutations/mutate $(if $(SAMPLE),--sample $(SAMPLE) $(if $(SEED),--seed $(SEED)))

ci:
	.ci/run

# All long checks, or one of them: make nightly, make crashes.
nightly:
	.ci/nightly
$(NIGHTLY):
	.ci/nightly $@

# Manual measurements.

# The longest call of a slow sender beside floods: make fairness [DURATION=10]
fairness:
	cd Benchmarks && WITHOUT_PEERS=1 swift run -c release limits fairness $(DURATION)

# A loop under load from four threads, with a recording that is written to a file: make soak [DURATION=600]
soak:
	cd Benchmarks && WITHOUT_PEERS=1 swift run -c release limits soak $(DURATION)

# 10 million events in random order over a million members of a fleet, compared with an oracle, with two arenas of glibc's
# allocator: make fleet [EVENTS=… IDS=… RESIDENT=… ARENAS=…]
fleet:
	cd Benchmarks && MALLOC_ARENA_MAX=$(or $(ARENAS),2) WITHOUT_PEERS=1 swift run -c release fleet oracle \
		$(or $(EVENTS),10000000) $(or $(IDS),1000000) $(or $(RESIDENT),100000)

# MoonPresentation beside curses, urwid, prompt_toolkit and Textual, if installed, on a pseudo-terminal: make terminal [RUNS=10]
terminal:
	swift build -c release --scratch-path .build-release --product PresentationProbe
	Benchmarks/terminal .build-release/release/PresentationProbe $(or $(RUNS),10)

# A PostgreSQL server that is repeatedly killed under load: make server-kills [KILLS=100]
server-kills:
	MOONLIGHT_SERVER_KILLS=$(or $(KILLS),100) INTEGRATIONS=StorageTests swift test --package-path Integrations \
		--scratch-path Integrations/.build-only --filter 'CrashTests'

# The auction sample under wrk, beside a handwritten server: make auction-load [SECONDS=10] [ROUNDS=5]
auction-load:
	swift build -c release --package-path Integrations --scratch-path Integrations/.build-release --product auction
	Integrations/Samples/auction/load Integrations/.build-release/release/auction $(or $(SECONDS),10) $(or $(ROUNDS),5)

# The sanitizer does not see the contended path of the standard library's Mutex: a report about data that only a Mutex protects is
# a false positive. The locks of the root's libraries are annotated.
integrations-tsan:
	INTEGRATIONS=RoutingTests,StorageTests,MoonlightLoggingTests,MoonlightMetricsTests,MoonlightTracingTests,MoonlightLifecycleTests \
		swift test --package-path Integrations --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path Integrations/.build-tsan

# The samples, optimized for size.
size:
	swift build -c release -Xswiftc -Osize --scratch-path .build-size
	.ci/drive-samples .build-size/release/
