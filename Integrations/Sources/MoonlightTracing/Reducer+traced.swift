import CaseNames
public import Moonlight
public import Tracing

extension CarriedLocal {
    /// The trace that an event belongs to, for ``LoopOptions/taskLocals-swift.property``. In `transform` and in everything that
    /// follows, it is the trace of the event's sender, even if the event was queued and another thread handles it.
    public static var trace: CarriedLocal { CarriedLocal(InstrumentationContext.$current, named: "trace") }
}

extension Reducer
where State: SendableMetatype, Event: SendableMetatype, Effect: SendableMetatype, Environment: SendableMetatype {
    /// Returns a reducer that creates a span for each event and, inside it, one for each stream of effects that is not ready.
    ///
    /// ```swift
    /// let store = Store(
    ///     reducer: shop.traced(by: tracer, store: "shop"), …, options: LoopOptions(taskLocals: [.trace]))
    /// ```
    /// The span of an event, such as `event add`, covers `transform`, and has its error. It is a child of the span in which the
    /// event was sent, if the loop carries ``CarriedLocal/trace``. The span of a stream, `effects of add`, lasts from its
    /// subscription to its end, and is current in the body of a `run`. If a job has to wait, its body runs in the context of the
    /// event's sender.
    ///
    /// - Parameters:
    ///   - tracer: The tracer of the spans; nil for that of the process.
    ///   - store: The value of the attribute `moonlight.store` of each span.
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

/// A factory of a loop's spans.
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
    /// Sends an event in a separate span, such as `send add`, which lasts until the event has reached the stage. It shows how
    /// long the event was queued before its own span began.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - stage: The stage to wait for.
    ///   - tracer: The tracer of the span; nil for that of the process.
    /// - Returns: Success if the event has reached the stage; otherwise the reason, which is also the error of the span.
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
