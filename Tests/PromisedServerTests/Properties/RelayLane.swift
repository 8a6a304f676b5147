import Glibc

/// One connection through a relay, from a client to the server.
struct RelayLane {
    let client: Int32
    let server: Int32
    /// How many bytes it still carries to the server and to the client.
    var upward = Int.max
    var downward = Int.max
    /// `true` if it ends with a reset when interrupted.
    var resets = false
    private(set) var isOver = false

    init(client: Int32, server: Int32, upward: Int = .max, downward: Int = .max, resets: Bool = false) {
        self.client = client
        self.server = server
        self.upward = upward
        self.downward = downward
        self.resets = resets
    }

    /// `true` if it ended after its number of bytes.
    var isCut: Bool { upward == 0 || downward == 0 }

    /// Forwards pending data to the ready sockets.
    mutating func forward(whatIs ready: Set<Int32>) {
        if ready.contains(client) { RelayLane.carry(from: client, to: server, &upward, isOver: &isOver) }
        if !isOver, ready.contains(server) { RelayLane.carry(from: server, to: client, &downward, isOver: &isOver) }
    }

    func end() {
        for socket in [client, server] {
            if resets, isCut { LoopbackSocket.resetWhenClosed(socket) }
            close(socket)
        }
    }

    private static func carry(from source: Int32, to sink: Int32, _ budget: inout Int, isOver: inout Bool) {
        let bytes = LoopbackSocket.receive(from: source)
        let carried = bytes.prefix(budget)
        budget -= carried.count
        isOver = bytes.isEmpty || !LoopbackSocket.send(Array(carried), to: sink) || budget == 0
    }
}
