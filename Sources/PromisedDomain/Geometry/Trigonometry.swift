// The only file of the module that needs the C library: the standard library has no trigonometry.
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The sine of an angle in radians.
func sine(_ angle: Double) -> Double { sin(angle) }

/// The cosine of an angle in radians.
func cosine(_ angle: Double) -> Double { cos(angle) }

/// The angle in radians, −π/2…π/2, whose sine is `value`; `value` lies in −1…1.
func arcSine(_ value: Double) -> Double { asin(value) }

/// e to the power of `value`.
func exponential(_ value: Double) -> Double { exp(value) }
