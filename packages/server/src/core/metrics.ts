// GET /metrics in the Prometheus format.
import { Counter, collectDefaultMetrics, Histogram, Gauge as PromGauge, Registry } from 'prom-client'

export interface Metrics {
  observe(call: string, milliseconds: number, result: number): void
  text(): Promise<string>
}

/** A figure that is read when somebody asks. */
export interface Gauge {
  /** As Prometheus knows it, beginning with `cloudoc_`. */
  readonly name: string
  readonly help: string
  /** What tells its numbers apart, where there are several. */
  readonly labels?: readonly string[]
  /** Where it fails there is no number: without the database the other metrics are wanted all the more. */
  readonly read: () => number | Promise<number | readonly Labelled[]>
}

/** One number of several. */
export interface Labelled {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The metrics of this process, and those figures. */
export function createMetrics(gauges: readonly Gauge[]): Metrics {
  const registry = new Registry()
  // Each look at the delay of the event loop wakes the process: ten times a second tell as much as a hundred.
  collectDefaultMetrics({ register: registry, prefix: 'cloudoc_', eventLoopMonitoringPrecision: 100 })
  const duration = new Histogram({
    name: 'cloudoc_call_seconds',
    help: 'Time from a call’s arrival to its answer.',
    labelNames: ['call'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  const results = new Counter({
    name: 'cloudoc_call_results_total',
    help: 'Answers by call and result code.',
    labelNames: ['call', 'result'],
    registers: [registry],
  })
  for (const { name, help, labels = [], read } of gauges) {
    new PromGauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        const found = await Promise.resolve()
          .then(read)
          .catch(() => (labels.length === 0 ? Number.NaN : []))
        if (typeof found === 'number') return this.set(found)
        this.reset()
        for (const one of found) this.set(one.labels, one.value)
      },
    })
  }
  return {
    observe(call, milliseconds, result) {
      duration.observe({ call }, milliseconds / 1000)
      results.inc({ call, result: String(result) })
    },
    text: () => registry.metrics(),
  }
}
