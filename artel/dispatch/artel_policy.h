#pragma once

#include <stddef.h>
#include <stdint.h>

// A dispatch policy as a shared object, in C or whatever has C functions: what the file exports is
// artel_policy_abi and artel_make_policy(). Times are nanoseconds.
//
// Rules: the choice depends on loads and draw alone, so that decisions can be replayed; a pool
// calls choose() from many threads at a time. The file runs with all rights of the program that
// loads it.
// Stability: a field of these structs never moves; whatever changes raises the version, and artel
// refuses files of another one.

#ifdef __cplusplus
extern "C" {
#endif

#define ARTEL_POLICY_ABI 2U         // the version of this interface
#define ARTEL_ANY_WORKER (-1)       // an answer: the first worker with room
#define ARTEL_NEVER INT64_MAX       // a deadline: there is none
#define ARTEL_NOT_HEARD INT64_MIN   // artel_load.heard of who has not answered yet
#define ARTEL_UNBOUNDED UINT32_MAX  // artel_load.capacity without bound

// What a policy reads besides queued and capacity; hosts keep no more, or refuse the policy.
#define ARTEL_READS_WEIGHT (1U << 0U)
#define ARTEL_READS_WORK (1U << 1U)
#define ARTEL_READS_DELAY (1U << 2U)
#define ARTEL_READS_LATENCY (1U << 3U)  // and heard
#define ARTEL_READS_FAILURES (1U << 4U)
#define ARTEL_READS_NOW (1U << 5U)
#define ARTEL_READS_SIZE (1U << 6U)
#define ARTEL_READS_KEY (1U << 7U)
#define ARTEL_READS_CLASS (1U << 8U)
#define ARTEL_READS_DEADLINE (1U << 9U)
#define ARTEL_READS_MATCHED (1U << 10U)
#define ARTEL_READS_AGE (1U << 11U)

/// What is known of a worker: dispatch::Load. Times in ns.
typedef struct artel_load {
  uint32_t queued;    ///< tasks bound to it and unfinished
  uint32_t capacity;  ///< most it may have queued; 0: takes nothing
  float weight;       ///< relative speed, above 0
  uint32_t failures;  ///< failed answers since the last good one
  int64_t work;       ///< hinted service outstanding, at its speed
  int64_t delay;      ///< measured: how long its tasks wait
  int64_t latency;    ///< of its answers, smoothed, as of heard
  int64_t heard;      ///< when its last answer came
} artel_load;

/// Which workers artel_loads.next() looks for.
typedef enum artel_group {
  ARTEL_MEMBERS,  ///< capacity above 0
  ARTEL_OPEN,     ///< with room
  ARTEL_IDLE      ///< with room and nothing queued
} artel_group;

/// The loads of all workers, from 0 to workers - 1. Good until choose() returns.
typedef struct artel_loads {
  uint32_t workers;
  const void* host;  ///< for the functions
  /// Of one worker; to read of one beyond the last is an error, which is told after choose().
  void (*read)(const void* host, uint32_t worker, artel_load* load);
  /// The first of the group at or after `from`, going round; ARTEL_ANY_WORKER if it is empty.
  int64_t (*next)(const void* host, artel_group group, uint32_t from);
} artel_loads;

/// All else that a decision may depend on: dispatch::Draw. Times in ns.
typedef struct artel_draw {
  uint64_t turn;         ///< counts decisions: 0, 1, 2, …
  uint64_t dice;         ///< 64 random bits
  int64_t now;           ///< the time of the decision
  int64_t size;          ///< of the task, as hinted; 0: no hint
  uint64_t key;          ///< what the task is about; 0: nothing in particular
  uint32_t task_class;   ///< the host's number for its kind
  uint32_t matched_to;   ///< how many workers `matched` has
  int64_t deadline;      ///< an answer that comes later is of no use
  const float* matched;  ///< by worker: share of the task's prefix in its cache; of those beyond, 0
  int64_t age;           ///< of the loads: so long ago they were as shown; 0: they are up to date
} artel_draw;

/// A dispatch policy of one's own in a shared object, see load_policy_plugin(): artel_make_policy()
/// fills it.
typedef struct artel_policy {
  const char* name;       ///< 1 to 64 letters, digits and _-.() in tables; must stay
  uint32_t reads;         ///< ARTEL_READS_…
  uint32_t latency_mean;  ///< 0: latency is peak EWMA; 1: the mean, faded likewise
  int64_t latency_decay;  ///< after so long the past counts 1/e; 0: 10 s
  void* self;             ///< for choose()
  /// The worker, or ARTEL_ANY_WORKER. For a full one the next with room gets the task.
  int64_t (*choose)(void* self, const artel_loads* loads, const artel_draw* draw);
} artel_policy;

#define ARTEL_POLICY_EXPORT __attribute__((visibility("default")))

/// ARTEL_POLICY_ABI, as the file was compiled.
extern ARTEL_POLICY_EXPORT const uint32_t artel_policy_abi;

/// Fills the policy, which is zeroes; `options` is what the user has given, "" if nothing. Returns
/// why it cannot, or a null pointer. Everything stays until the program ends.
ARTEL_POLICY_EXPORT const char* artel_make_policy(const char* options, artel_policy* policy);

#ifdef __cplusplus
}
#endif
