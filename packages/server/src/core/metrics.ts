// GET /metrics in the Prometheus format.
import { setTimeout as delay } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Histogram, Gauge as PromGauge, Registry } from 'prom-client'

export interface Metrics {
  observe(call: string, milliseconds: number, result: number): void
  /** How long a connection to the database was waited for. */
  waited(milliseconds: number): void
  /** Work of the store of contents; what takes as long as a client takes has no time of its own. */
  stored(operation: string, milliseconds: number | undefined, failed: boolean): void
  /** Adds figures that are read when somebody asks. */
  add(gauges: readonly Gauge[]): void
  text(): Promise<string>
}

/** A figure that is read when somebody asks. */
export interface Gauge {
  /** As Prometheus knows it, beginning with `cloudoc_`. */
  readonly name: string
  readonly help: string
  /** What tells its numbers apart, where there are several. */
  readonly labels?: readonly string[]
  /** Where it fails or takes longer than two seconds there is no number: without the database the others are wanted all the more. */
  readonly read: () => number | Promise<number | readonly Labelled[]>
}

/** One number of several. */
export interface Labelled {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Prometheus gives up what has not come within ten seconds, and all figures with it. */
const readWithinMs = 2000

/** The metrics of this process. */
export function createMetrics(): Metrics {
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
  const waits = new Histogram({
    name: 'cloudoc_database_wait_seconds',
    help: 'Time that a connection to the database was waited for.',
    buckets: [0.001, 0.01, 0.1, 1, 10],
    registers: [registry],
  })
  const storing = new Histogram({
    name: 'cloudoc_store_seconds',
    help: 'Time of the work of the store of contents.',
    labelNames: ['operation'],
    buckets: [0.001, 0.01, 0.1, 1, 10],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'cloudoc_store_errors_total',
    help: 'Work that the store of contents failed at.',
    labelNames: ['operation'],
    registers: [registry],
  })
  return {
    observe(call, milliseconds, result) {
      duration.observe({ call }, milliseconds / 1000)
      results.inc({ call, result: String(result) })
    },
    waited: (milliseconds) => waits.observe(milliseconds / 1000),
    stored(operation, milliseconds, failed) {
      if (milliseconds !== undefined) storing.observe({ operation }, milliseconds / 1000)
      failures.inc({ operation }, failed ? 1 : 0)
    },
    add(gauges) {
      for (const { name, help, labels = [], read } of gauges) {
        new PromGauge({
          name,
          help,
          labelNames: labels,
          registers: [registry],
          async collect() {
            const none = labels.length === 0 ? Number.NaN : []
            const found = await Promise.race([
              Promise.resolve()
                .then(read)
                .catch(() => none),
              delay(readWithinMs, none, { ref: false }),
            ])
            if (typeof found === 'number') return this.set(found)
            this.reset()
            for (const one of found) this.set(one.labels, one.value)
          },
        })
      }
    },
    text: () => registry.metrics(),
  }
}
