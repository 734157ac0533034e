// A deep comparison with the interface and the rules of the library that C# tests call.
//
// Types must be equal, nested ones too. Numbers and strings are exact, NaN equals NaN. Lists
// and sets are compared in order. Dictionaries with simple keys are compared by key, whatever
// the order, and a key that is not there counts as null; others in order. Any other object is
// compared by its public properties and fields.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace KellermanSoftware.CompareNetObjects
{
    public class ComparisonResult
    {
        public bool AreEqual { get; internal set; }
        public string DifferencesString { get; internal set; }
    }

    public class CompareLogic
    {
        const int MaxDepth = 500;

        public ComparisonResult Compare(object actual, object expected)
        {
            string difference = Difference(actual, expected, 0);
            return new ComparisonResult
            {
                AreEqual = difference == null,
                DifferencesString = difference ?? "",
            };
        }

        // What differs, or null.
        static string Difference(object a, object b, int depth)
        {
            if (ReferenceEquals(a, b) || depth > MaxDepth) return null;
            if (a == null || b == null) return "null and a value";
            Type type = a.GetType();
            if (type != b.GetType()) return "types " + type + " and " + b.GetType();
            if (IsSimple(type)) return a.Equals(b) ? null : a + " and " + b;
            if (a is IDictionary) return DictionaryDifference((IDictionary)a, (IDictionary)b, depth);
            if (a is IEnumerable)
            {
                return SequenceDifference(
                    ((IEnumerable)a).Cast<object>().ToList(),
                    ((IEnumerable)b).Cast<object>().ToList(),
                    depth);
            }
            if (a is Type) return a.Equals(b) ? null : a + " and " + b;
            return MemberDifference(type, a, b, depth);
        }

        static bool IsSimple(Type type)
        {
            return type.IsPrimitive || type.IsEnum || type == typeof(string)
                || type == typeof(decimal) || type == typeof(DateTime)
                || type == typeof(TimeSpan) || type == typeof(Guid);
        }

        static string SequenceDifference(List<object> a, List<object> b, int depth)
        {
            if (a.Count != b.Count) return "sizes " + a.Count + " and " + b.Count;
            return a.Zip(b, (x, y) => Difference(x, y, depth + 1)).FirstOrDefault(d => d != null);
        }

        static string DictionaryDifference(IDictionary a, IDictionary b, int depth)
        {
            if (a.Count != b.Count) return "sizes " + a.Count + " and " + b.Count;
            if (a.Keys.Cast<object>().All(key => IsSimple(key.GetType())))
            {
                return a.Keys.Cast<object>()
                    .Select(key => Difference(a[key], b.Contains(key) ? b[key] : null, depth + 1))
                    .FirstOrDefault(d => d != null);
            }
            return SequenceDifference(
                    a.Keys.Cast<object>().ToList(), b.Keys.Cast<object>().ToList(), depth)
                ?? SequenceDifference(
                    a.Values.Cast<object>().ToList(), b.Values.Cast<object>().ToList(), depth);
        }

        static string MemberDifference(Type type, object a, object b, int depth)
        {
            const BindingFlags open = BindingFlags.Public | BindingFlags.Instance;
            IEnumerable<string> properties = type.GetProperties(open)
                .Where(p => p.CanRead && p.GetIndexParameters().Length == 0)
                .Select(p => Difference(p.GetValue(a, null), p.GetValue(b, null), depth + 1));
            IEnumerable<string> fields = type.GetFields(open)
                .Select(f => Difference(f.GetValue(a), f.GetValue(b), depth + 1));
            return properties.Concat(fields).FirstOrDefault(d => d != null);
        }
    }
}
