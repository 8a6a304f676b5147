/// The version of the product.
package enum ProductVersion {
    /// Major, minor and patch, as `/version` and `promised version` show it.
    package static let text = "0.1.0"
}
