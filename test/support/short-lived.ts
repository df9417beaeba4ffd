/** Settings of Bun for processes that live for minutes, in a run of all tests. */
export const SHORT_LIVED = {
  // Returning memory to the system takes 5% of the CPU time of a run.
  MIMALLOC_PURGE_DELAY: '-1',
  // Garbage collection at intervals takes 5%: the growth of the heap starts it as well.
  BUN_GC_TIMER_DISABLE: '1',
  // Compiling what is called often takes 12% with the defaults, which are a fifth of these.
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '5000',
  BUN_JSC_thresholdForOptimizeSoon: '5000',
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '500000',
}
