"""C++ code that the programs of the C++ target hold: a value of any type, and comparison."""

from __future__ import annotations

from mbxp_datasets.conversion.targets.base import RELATIVE_TOLERANCE

VALUE = """\
// A value of any type.
struct Value : variant<monostate, bool, long long, double, string, vector<Value>, set<Value>,
                       map<Value, Value>> {
    using variant::variant;
};
"""

SAME = """
template <typename T> struct mbxp__Same {
    static bool of(const T& x, const T& y, double) { return x == y; }
};
template <typename T> bool mbxp__same(const T& x, const T& y, double within) {
    return mbxp__Same<T>::of(x, y, within);
}
template <> struct mbxp__Same<double> {
    static bool of(double x, double y, double within) {
        if (x == y || (std::isnan(x) && std::isnan(y))) return true;
        double larger = std::max(std::fabs(x), std::fabs(y));
        return std::isfinite(larger) && std::fabs(x - y) <= std::max(RELATIVE * larger, within);
    }
};
template <> struct mbxp__Same<std::string> {
    static bool of(const std::string& x, const std::string& y, double) {
        return x.compare(y) == 0;
    }
};
template <typename A, typename B> struct mbxp__Same<std::pair<A, B>> {
    static bool of(const std::pair<A, B>& x, const std::pair<A, B>& y, double within) {
        return mbxp__same<A>(x.first, y.first, within) && mbxp__same<B>(x.second, y.second, within);
    }
};
template <typename T> struct mbxp__Same<std::optional<T>> {
    static bool of(const std::optional<T>& x, const std::optional<T>& y, double within) {
        return x && y ? mbxp__same<T>(*x, *y, within) : !x && !y;
    }
};
template <typename T> struct mbxp__Same<std::vector<T>> {
    static bool of(const std::vector<T>& x, const std::vector<T>& y, double within) {
        if (x.size() != y.size()) return false;
        for (std::size_t i = 0; i < x.size(); i++) {
            if (!mbxp__same<T>(x[i], y[i], within)) return false;
        }
        return true;
    }
};
template <typename C> struct mbxp__Unordered {
    static bool of(const C& x, const C& y, double within) {
        if (x.size() != y.size()) return false;
        std::list<typename C::value_type> left(y.begin(), y.end());
        for (const auto& item : x) {
            auto found = left.begin();
            while (found != left.end() && !mbxp__same(item, *found, within)) ++found;
            if (found == left.end()) return false;
            left.erase(found);
        }
        return true;
    }
};
template <typename T> struct mbxp__Same<std::set<T>> : mbxp__Unordered<std::set<T>> {};
template <typename T>
struct mbxp__Same<std::unordered_set<T>> : mbxp__Unordered<std::unordered_set<T>> {};
template <typename K, typename V>
struct mbxp__Same<std::map<K, V>> : mbxp__Unordered<std::map<K, V>> {};
template <typename K, typename V>
struct mbxp__Same<std::unordered_map<K, V>> : mbxp__Unordered<std::unordered_map<K, V>> {};
template <typename T> struct mbxp__Same<const T> : mbxp__Same<T> {};
""".replace("RELATIVE", repr(RELATIVE_TOLERANCE))

SAME_VALUE = """\
template <> struct mbxp__Same<Value> {
    static bool of(const Value& x, const Value& y, double within) {
        const double* a = std::get_if<double>(&x);
        const double* b = std::get_if<double>(&y);
        const long long* m = std::get_if<long long>(&x);
        const long long* n = std::get_if<long long>(&y);
        if (a && n) return mbxp__same<double>(*a, double(*n), within);
        if (m && b) return mbxp__same<double>(double(*m), *b, within);
        if (x.index() != y.index()) return false;
        return std::visit([&](const auto& item) {
            using T = std::decay_t<decltype(item)>;
            return mbxp__same<T>(item, *std::get_if<T>(&y), within);
        }, static_cast<const typename Value::variant&>(x));
    }
};
"""
