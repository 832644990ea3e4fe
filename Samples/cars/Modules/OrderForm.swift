import MoonPresentation
import Moonlight
import SampleSupport
import Streams

/// The module that takes an order: it is there for its result, the order that was placed.
struct OrderForm: Equatable, Sendable {
    let car: Car
    let colour: String
    var customer = TextInput()
    var isSending = false
    var error: DataError?
    /// The result.
    var placed: Order?

    enum Event: Equatable, Sendable {
        /// Changes the name, or replaces it.
        case edit(TextEdit)
        case named(String)
        case place
    }

    enum Effect: Equatable, Sendable {
        case named(TextInput)
        case sending
        case failed(DataError)
        case placed(Order)
    }

    /// What the module can have done, of all that the app can.
    struct Actions: Sendable {
        var makeOrder: @Sendable (Order) async throws(DataError) -> Order
    }

    /// How many characters a name may have.
    static let longest = 40

    static let reducer = Reducer<OrderForm, Event, Effect, Actions>(
        transform: { state, event, actions in
            if state.isSending { throw Rejection("the order is being sent") }
            switch event {
            case .edit(let edit):
                var customer = state.customer
                customer.apply(edit)
                if customer.text.count > longest { throw Rejection("a name has at most \(longest) characters") }
                return Just(.named(customer)).eraseToAnyPublisher()
            case .named(let name): return Just(.named(TextInput(String(name.prefix(longest))))).eraseToAnyPublisher()
            case .place:
                let customer = state.customer.text.trimmingSpaces
                if customer.isEmpty { throw Rejection("a name is wanted") }
                let order = Order(car: state.car, colour: state.colour, customer: customer)
                return AnyPublisher.run { send in
                    do throws(DataError) {
                        let placed = try await actions.makeOrder(order)
                        send(.placed(placed))
                    } catch {
                        send(.failed(error))
                    }
                }
                .prepend(.sending)
                .eraseToAnyPublisher()
            }
        },
        apply: { (state: inout OrderForm, effect: Effect) in
            switch effect {
            case .named(let name): (state.customer, state.error) = (name, nil)
            case .sending: (state.isSending, state.error) = (true, nil)
            case .failed(let error): (state.isSending, state.error) = (false, error)
            case .placed(let order): (state.isSending, state.placed) = (false, order)
            }
        })
}
