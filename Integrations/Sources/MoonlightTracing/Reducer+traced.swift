import CaseNames
public import Moonlight
public import Tracing

extension CarriedLocal {
    /// The trace that an event belongs to, for ``LoopOptions/carrying-swift.property``: it is that of the event's sender in `transform`
    /// and in everything that follows, even if the event waited and another thread handles it.
    public static var trace: CarriedLocal { CarriedLocal(InstrumentationContext.$current, named: "trace") }
}

extension Reducer
where State: SendableMetatype, Event: SendableMetatype, Effect: SendableMetatype, Environment: SendableMetatype {
    /// Returns a reducer that makes spans: one of each event, and in it one of each stream of effects that is not ready.
    ///
    /// ```swift
    /// let store = Store(
    ///     reducer: shop.traced(by: tracer, store: "shop"), …, options: LoopOptions(taskLocals: [.trace]))
    /// ```
    /// The span of an event, such as `event add`, is the time of `transform`; if `transform` throws, it has the error. It is a child of
    /// the span in which the event was sent, if the loop carries ``CarriedLocal/trace``. The span of a stream, `effects of add`, lasts
    /// from its subscription to its end, and is current in the body of a `run`. If a job has to wait, its body runs in the context of
    /// the event's sender.
    ///
    /// - Parameters:
    ///   - tracer: Makes the spans; nil for that of the process.
    ///   - store: A name for the attribute `moonlight.store` of each span.
    public func traced(by tracer: (any Tracer)? = nil, store: String? = nil) -> Reducer {
        let spans = LoopSpans(tracer: tracer, store: store)
        return middleware { state, event, environment, next in
            let name = caseName(of: event)
            let span = spans.start("event \(name)", in: .current ?? .topLevel)
            defer { span.end() }
            let context = span.context
            do {
                let effects = try InstrumentationContext.$current.withValue(context) { try next(state, event, environment) }
                return effects.accompanied { spans.companion(ofEffectsOf: name, in: context) }
            } catch {
                span.recordError(error)
                throw error
            }
        }
    }
}

/// Makes the spans of a loop.
private struct LoopSpans: Sendable {
    let tracer: (any Tracer)?
    let store: String?

    func start(_ name: String, in context: InstrumentationContext) -> any Span {
        let span = (tracer ?? InstrumentationSystem.tracer).startAnySpan(name, context: context, ofKind: .internal)
        if let store { span.attributes["moonlight.store"] = store }
        return span
    }

    func companion(ofEffectsOf event: String, in context: InstrumentationContext) -> StreamCompanion {
        let span = start("effects of \(event)", in: context)
        return StreamCompanion(
            subscribing: { InstrumentationContext.$current.withValue(span.context, operation: $0) },
            ended: { isCancelled in
                if isCancelled { span.attributes["moonlight.cancelled"] = true }
                span.end()
            })
    }
}

extension Store where State: Sendable, Event: Sendable {
    /// Sends an event in a span of its own, such as `send add`, which lasts until the event has reached the stage. So it shows how long
    /// the event waited before its own span began.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - stage: The stage to wait for.
    ///   - tracer: Makes the span; nil for the tracer of the process.
    /// - Returns: Success if the event has reached the stage; otherwise the reason, which the span has as its error.
    @discardableResult
    public func tracedSend(
        _ event: Event, until stage: SendStage = .settled, by tracer: (any Tracer)? = nil
    ) async -> Result<Void, SendError> {
        await (tracer ?? InstrumentationSystem.tracer).withAnySpan("send \(caseName(of: event))", ofKind: .internal) { span in
            let result = await send(event, until: stage)
            if case .failure(let error) = result {
                span.recordError(error)
                span.setStatus(SpanStatus(code: .error, message: "\(error)"))
            }
            return result
        }
    }
}
