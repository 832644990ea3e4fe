# What one types often. Everything here is also a plain command: see CONTRIBUTING.md.

# The steps of the nightly that have no target of their own below.
NIGHTLY := $(shell sed -nE 's/^([a-z]+)\(\) \{ \# .*/\1/p' .ci/nightly | grep -vxE 'schedules|serial|mutations')

.PHONY: check test test-only format api docs links pictures schedules tsan asan serial mutations fairness soak terminal fleet \
	server-kills auction-load integrations-tsan size ci nightly $(NIGHTLY)

# Before a commit: seconds, and nothing is built.
check:
	.ci/check

# The quick tier of all tests. MOONLIGHT_EXHAUSTIVE=1 tries everything, MOONLIGHT_SEED=… a seed that a run has printed.
test:
	swift test

# One library: make test-only LIB=Streams
test-only:
	ONLY=$(LIB)Tests swift test --scratch-path .build-only-$(LIB)

format:
	swift format -i --parallel --recursive Package.swift Sources Samples Tests Tools Benchmarks/Package.swift Benchmarks/Sources \
		Benchmarks/Shared Benchmarks/Programs Integrations/Package.swift Integrations/Sources Integrations/Samples Integrations/Tests

# Writes the list of the public API anew, after an intended change.
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

# One at a time: a test that relies on another thread being slower fails, or waits in vain.
serial:
	swift test --no-parallel

# The mutations that were written or, with SAMPLE, some of those that can be made: make mutations SAMPLE=100 [SEED=…]
mutations:
	Tools/mutations/mutate $(if $(SAMPLE),--sample $(SAMPLE) $(if $(SEED),--seed $(SEED)))

ci:
	.ci/run

# All longer proofs, or one of them: make nightly, make crashes.
nightly:
	.ci/nightly
$(NIGHTLY):
	.ci/nightly $@

# Experiments that are measured by hand.

# The longest call of a polite thread beside floods: make fairness [DURATION=10]
fairness:
	cd Benchmarks && WITHOUT_PEERS=1 swift run -c release limits fairness $(DURATION)

# A loop that four threads feed, with a recording that a file follows: make soak [DURATION=600]
soak:
	cd Benchmarks && WITHOUT_PEERS=1 swift run -c release limits soak $(DURATION)

# 10 million events in random order over a million members of a fleet, beside an oracle, with two arenas of glibc's allocator:
# make fleet [EVENTS=… IDS=… RESIDENT=… ARENAS=…]
fleet:
	cd Benchmarks && MALLOC_ARENA_MAX=$(or $(ARENAS),2) WITHOUT_PEERS=1 swift run -c release fleet oracle \
		$(or $(EVENTS),10000000) $(or $(IDS),1000000) $(or $(RESIDENT),100000)

# Ours beside curses, urwid, prompt_toolkit and Textual on a pseudo-terminal, as far as they are installed: make terminal [RUNS=10]
terminal:
	swift build -c release --scratch-path .build-release --product PresentationProbe
	Benchmarks/terminal .build-release/release/PresentationProbe $(or $(RUNS),10)

# A PostgreSQL server that is killed under load, again and again: make server-kills [KILLS=100]
server-kills:
	MOONLIGHT_SERVER_KILLS=$(or $(KILLS),100) INTEGRATIONS=StorageTests swift test --package-path Integrations \
		--scratch-path Integrations/.build-only --filter 'CrashTests'

# The sample auction under wrk, beside the same server by hand: make auction-load [SECONDS=10] [ROUNDS=5]
auction-load:
	swift build -c release --package-path Integrations --scratch-path Integrations/.build-release --product auction
	Integrations/Samples/auction/load Integrations/.build-release/release/auction $(or $(SECONDS),10) $(or $(ROUNDS),5)

# The sanitizer does not see inside the standard library's Mutex when two threads want it at once: a report of what is only used behind
# one says nothing. The locks of the libraries of the root tell it.
integrations-tsan:
	INTEGRATIONS=RoutingTests,StorageTests,MoonlightLoggingTests,MoonlightMetricsTests,MoonlightTracingTests,MoonlightLifecycleTests \
		swift test --package-path Integrations --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path Integrations/.build-tsan

# The samples, optimised for size.
size:
	swift build -c release -Xswiftc -Osize --scratch-path .build-size
	.ci/drive-samples .build-size/release/
