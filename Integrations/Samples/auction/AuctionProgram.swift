import AuctionHouse
import Foundation
import Hummingbird
import Logging
import MoonlightLifecycle
import ServiceLifecycle

/// An auction server: see the README in this folder.
@main
enum AuctionProgram {
    static func main() async {
        do { try await run(Options(CommandLine.arguments.dropFirst())) } catch {
            FileHandle.standardError.write(Data("auction: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) async throws {
        var logger = Logger(label: "auction")
        logger.logLevel = .notice
        let bank = Bank(options.payments)
        var services: [any Service] = []
        let house: any House
        switch options.kind {
        case .byHand: house = HandmadeHouse(bank: bank)
        case .auctions(let place):
            let auctions = AuctionHouse(place, bank: bank)
            try await auctions.fleet.opened()
            // Shut down last: services are stopped in reverse order.
            services.append(FleetService(auctions.fleet, draining: .seconds(options.drain), logger: logger))
            let inspector = Router()
            Inspector(house: auctions, bank: bank, token: options.token).add(to: inspector)
            services.append(
                server(inspector, port: options.inspectorPort, logger) { port in
                    "inspector: http://127.0.0.1:\(port)/?token=\(options.token)"
                })
            house = auctions
        }
        let router = Router()
        Routes(house: house, admission: Admission(most: options.most)).add(to: router)
        services.append(server(router, port: options.port, logger) { "auctions: http://127.0.0.1:\($0)" })
        let group = ServiceGroup(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await group.run()
        print("drained")
    }

    private static func server(
        _ router: Router<BasicRequestContext>, port: Int, _ logger: Logger, started: @escaping @Sendable (Int) -> String
    ) -> some Service {
        Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                print(started(channel.localAddress?.port ?? port))
                fflush(nil)
            }, logger: logger)
    }
}
