# What one types often. Everything here is also a plain command: see CONTRIBUTING.md.
.PHONY: test serial format lint optimised tsan asan schedules locks stress fresh frames terminal mutations limits fairness leaks soak recordings page crashes kills server-kills chaos fleet integrations integrations-tsan size api docs look links pictures ci

test:
	swift test

format:
	swift format -i --recursive Package.swift Sources Samples Tests Tools Integrations/Package.swift Integrations/Sources Integrations/Samples Integrations/Tests

lint:
	swift format lint --strict --recursive Package.swift Sources Samples Tests Tools Integrations/Package.swift Integrations/Sources \
		Integrations/Samples Integrations/Tests

# What the optimiser makes of it: it has miscompiled what a debug build does well.
optimised:
	swift test -c release -Xswiftc -enable-testing --scratch-path .build-optimised

tsan:
	swift test --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path .build-tsan

# One test counts the memory of its process, which the sanitizer keeps after it has been let go.
asan:
	LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/leaks swift test --sanitize=address --scratch-path .build-asan \
		--skip TakenBackTests/memory

serial:
	swift test --no-parallel

schedules:
	SCHEDULES=1 swift test --scratch-path .build-schedules

# The scenes that look for user code with a lock held, optimised: the optimiser decides when something is let go of.
locks:
	SCHEDULES=1 swift test -c release -Xswiftc -enable-testing --scratch-path .build-locks --filter Lock

# Many more schedules and programs than CI plays, by a seed that a failure names: make stress [MOONLIGHT_SEED=…] [MOONLIGHT_ROUNDS=…]
stress:
	@seed=$${MOONLIGHT_SEED:-$$(date +%s)}; rounds=$${MOONLIGHT_ROUNDS:-20000}; echo "MOONLIGHT_SEED=$$seed MOONLIGHT_ROUNDS=$$rounds"; \
	MOONLIGHT_SEED=$$seed MOONLIGHT_ROUNDS=$$rounds MOONLIGHT_LIMIT=50000 SCHEDULES=1 swift test --scratch-path .build-schedules && \
	MOONLIGHT_SEED=$$seed MOONLIGHT_ROUNDS=$$((rounds * 20)) swift test --filter GeneratedTests && \
	MOONLIGHT_ROUNDS=$$((rounds / 10)) swift test --filter ConcurrentTests && \
	MOONLIGHT_SEED=$$seed MOONLIGHT_ROUNDS=$$((rounds / 10)) swift test --filter StormTests

integrations:
	swift test --package-path Integrations

# The sanitizer does not see inside the standard library's Mutex when two threads want it at once: a report of what is only used behind
# one says nothing. The libraries of the root use another lock here.
integrations-tsan:
	INTEGRATIONS=RoutingTests,StorageTests,MoonlightLoggingTests,MoonlightMetricsTests,MoonlightTracingTests,MoonlightLifecycleTests \
		swift test --package-path Integrations --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path Integrations/.build-tsan

# Three servers of NATS and three machines of a fleet in network namespaces that are cut, killed and stopped at random. As root:
# make chaos [SECONDS=600] [SEED=…]
chaos:
	INTEGRATIONS=probe swift build --package-path Integrations
	.ci/chaos-nats $(or $(SECONDS),600) $(SEED)

# The sample auction under wrk, beside the same server by hand: make auction-load [SECONDS=10] [ROUNDS=5]
auction-load:
	swift build -c release --package-path Integrations --scratch-path Integrations/.build-release --product auction
	Integrations/Samples/auction/load Integrations/.build-release/release/auction $(or $(SECONDS),10) $(or $(ROUNDS),5)

fresh:
	.ci/fresh-package .build-fresh

# Those that were written or, with SAMPLE, some of those that can be made: make mutations SAMPLE=100 [SEED=…]
mutations:
	.ci/mutate $(if $(SAMPLE),--sample $(SAMPLE) $(if $(SEED),--seed $(SEED)))

limits:
	cd Benchmarks && WITHOUT_PEERS=1 swift run -c release limits

# The longest call of a polite thread beside floods: make fairness [DURATION=10]
fairness:
	cd Benchmarks && WITHOUT_PEERS=1 swift run -c release limits fairness $(DURATION)

leaks:
	cd Benchmarks && WITHOUT_PEERS=1 swift run -c release leaks

soak:
	cd Benchmarks && WITHOUT_PEERS=1 swift run -c release limits soak $(DURATION)

# A thousand plans of generated recordings, compiled and played, and each again with something changed: make recordings [COUNT=1000]
recordings:
	.ci/plans-of-recordings .build-recordings $(or $(COUNT),1000)

# The page of a recording, used in a browser.
page:
	.ci/look-recording

# A million crashes of a disk, each with the recovery after it, and 50,000 of whole stores: make crashes [CRASHES=…] [MOONLIGHT_SEED=…]
crashes:
	MOONLIGHT_CRASHES=$(or $(CRASHES),1000000) MOONLIGHT_STORE_CRASHES=$(or $(STORE_CRASHES),50000) \
		MOONLIGHT_FLEET_CRASHES=$(or $(FLEET_CRASHES),50000) swift test -c release \
		-Xswiftc -enable-testing --scratch-path .build-optimised --filter 'LogCrashTests|LogDamageTests|StoreCrashTests|FleetCrashTests'

# A thousand processes that are killed in the midst of load, each checked by the next; and a disk of 1 MB, if it may be mounted.
kills:
	swift build -c release --scratch-path .build-release --product ledger
	swift build -c release --scratch-path .build-release --product moonlight
	LEDGER_KILLS=$(or $(KILLS),1000) .ci/drive-ledger .build-release/release/ledger

# A PostgreSQL server that is killed under load, again and again: make server-kills [KILLS=100]
server-kills:
	MOONLIGHT_SERVER_KILLS=$(or $(KILLS),100) INTEGRATIONS=StorageTests swift test --package-path Integrations \
		--scratch-path Integrations/.build-only --filter 'CrashTests'

# 10 million events in random order over a million members of a fleet, beside an oracle, with two arenas of glibc's allocator:
# make fleet [EVENTS=… IDS=… RESIDENT=… ARENAS=…]
fleet:
	cd Benchmarks && MALLOC_ARENA_MAX=$(or $(ARENAS),2) WITHOUT_PEERS=1 swift run -c release fleet oracle $(or $(EVENTS),10000000) $(or $(IDS),1000000) $(or $(RESIDENT),100000)

# The samples, optimised for size.
size:
	swift build -c release -Xswiftc -Osize --scratch-path .build-size
	for sample in history download counter basket cars ledger; do .ci/drive-$$sample .build-size/release/$$sample || exit 1; done

# 10,000 pairs of frames in the emulator and in tmux, and 100 programs without the alternate screen in windows that change their size:
# make frames [FRAMES=…] [MOONLIGHT_SEED=…]
frames:
	MOONLIGHT_FRAMES=$(or $(FRAMES),10000) swift test -c release -Xswiftc -enable-testing --scratch-path .build-optimised \
		--filter 'FramePairTests|InlineWriterTests|FrameSpeedTests'
	.ci/drive-frames "$$(swift build -c release -Xswiftc -enable-testing --scratch-path .build-optimised --show-bin-path)/FramesTool" \
		$(or $(FRAMES),10000) 100 $(or $(MOONLIGHT_SEED),1)

# Ours beside curses, urwid, prompt_toolkit and Textual on a pseudo-terminal, as far as they are installed: make terminal [RUNS=10]
terminal:
	swift build -c release --scratch-path .build-release --product PresentationProbe
	Benchmarks/terminal .build-release/release/PresentationProbe $(or $(RUNS),10)

api:
	.ci/api

docs:
	.ci/docs

look: docs
	.ci/look .build/docs

links:
	.ci/links

pictures:
	Documentation/draw
	Documentation/numbers

ci:
	.ci/run
