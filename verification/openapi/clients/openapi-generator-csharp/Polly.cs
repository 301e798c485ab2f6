// The generated client names these types of the library Polly, which no registry that the check uses has. They serve
// its retries only, which are off unless a program sets a policy.
using System;
using System.Threading.Tasks;

namespace Polly
{
    public enum OutcomeType { Successful, Failure }

    public class PolicyResult<T>
    {
        public OutcomeType Outcome { get; set; }
        public T Result { get; set; }
        public Exception FinalException { get; set; }
    }

    public interface ISyncPolicy<T> { }

    public interface IAsyncPolicy<T>
    {
        Task<PolicyResult<T>> ExecuteAndCaptureAsync(Func<Task<T>> action);
    }
}
