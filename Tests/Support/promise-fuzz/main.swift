import CFuzzer
import Foundation
import PromisedFuzzing

/// The target that the process fuzzes: libFuzzer's callback cannot carry it.
nonisolated(unsafe) private var target: FuzzTarget?

/// The variable of the environment that names the target.
private let variable = "PROMISE_FUZZ_TARGET"

/// Runs an input of libFuzzer, which keeps the input only of a process that aborts: so does a broken property.
private func run(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    do {
        try target?.run(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
    } catch {
        FileHandle.standardError.write(Data("the property does not hold: \(error)\n".utf8))
        abort()
    }
}

/// Runs the inputs of a corpus; ends the process.
private func replay(_ file: String, _ target: FuzzTarget) -> Never {
    do {
        let corpus = try Corpus(contentsOf: URL(filePath: file))
        for input in corpus.inputs {
            do {
                try target.run(input.bytes)
            } catch {
                print("\(file), line \(input.line): the property does not hold: \(error)")
                exit(1)
            }
        }
        print("\(corpus.inputs.count) inputs, 0 violations")
        exit(0)
    } catch {
        print("cannot read the corpus \(file): \(error)")
        exit(1)
    }
}

/// Runs libFuzzer. To minimise a corpus it starts the program again with its own options only, so the environment names
/// the target.
private func fuzz(_ target: FuzzTarget, _ options: some Sequence<String>) -> Never {
    setenv(variable, target.name, 1)
    let arguments = [CommandLine.arguments[0], "-max_len=\(target.longest)"] + options
    var pointers = arguments.map { strdup($0) } + [nil]
    let code = pointers.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { promised_fuzz(Int32(arguments.count), $0, run) } ?? -1
    }
    if code < 0 { print("this program was built without libFuzzer: use scripts/torture fuzz") }
    exit(code < 0 ? 1 : code)
}

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["--list"] {
    for target in FuzzTarget.all { print(target.name, target.property) }
    exit(0)
}
if arguments.first?.hasPrefix("-") == true, let name = ProcessInfo.processInfo.environment[variable] {
    arguments.insert(name, at: 0)
}
target = arguments.first.flatMap(FuzzTarget.named)
guard let target else {
    print("usage: promise-fuzz --list | promise-fuzz TARGET --corpus FILE | promise-fuzz TARGET [OPTION OF LIBFUZZER…]")
    exit(2)
}
if arguments.count == 3, arguments[1] == "--corpus" { replay(arguments[2], target) }
fuzz(target, arguments.dropFirst())
