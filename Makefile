# What one types often. Everything here is also a plain command: see CONTRIBUTING.md.
.PHONY: test format lint tsan asan api docs look links pictures ci

test:
	swift test

format:
	swift format -i --recursive Package.swift Sources Samples Tests

lint:
	swift format lint --strict --recursive Package.swift Sources Samples Tests

tsan:
	swift test --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path .build-tsan

asan:
	LSAN_OPTIONS=suppressions=.ci/leaks swift test --sanitize=address --scratch-path .build-asan

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
