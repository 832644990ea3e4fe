import MoonPresentation
import Moonlight
import Streams

/// The module that takes an order. Its result is the placed order.
struct OrderForm: Equatable, Sendable {
    let car: Car
    let colour: String
    var customer = TextInput()
    var isSending = false
    var problem: String?
    /// The result.
    var placed: Order?

    enum Event: Equatable, Sendable {
        case edit(TextEdit)
        case place
    }

    enum Effect: Equatable, Sendable {
        case edited(TextEdit)
        case sending
        case failed(String)
        case placed(Order)
    }

    /// The dependencies of the module.
    struct Actions: Sendable {
        var place: @Sendable (Order) async throws -> Order
    }

    static let reducer = Reducer<OrderForm, Event, Effect, Actions> { state, event, actions in
        if state.isSending { throw Rejection("the order is being sent") }
        switch event {
        case .edit(let edit): return .just(.edited(edit))
        case .place:
            if state.customer.isEmpty { throw Rejection("a name is needed") }
            let order = Order(car: state.car, colour: state.colour, customer: state.customer.text)
            return .run {
                .placed(try await actions.place(order))
            } catch: {
                .failed("\($0)")
            }.prepend(.sending)
        }
    } apply: { state, effect in
        state.isSending = effect == .sending
        switch effect {
        case .edited(let edit): state.customer.apply(edit)
        case .sending: state.problem = nil
        case .failed(let problem): state.problem = problem
        case .placed(let order): state.placed = order
        }
    }
}

struct OrderFormView: View {
    let form: OrderForm

    func draw(on surface: inout Surface<OrderForm.Event>) {
        surface.add(
            Rows {
                Text("\(form.car.name) in \(form.colour)")
                Field(form.customer, prompt: "for", edit: OrderForm.Event.edit, submit: .place)
                Text(form.isSending ? "Sending…" : form.problem.map { "Not ordered: \($0)" } ?? "", style: .dim)
            })
    }
}
