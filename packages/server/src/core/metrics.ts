// GET /metrics in the Prometheus format.
import { setTimeout as delay } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Histogram, Gauge as PromGauge, Registry } from 'prom-client'

export interface Metrics {
  observe(call: string, milliseconds: number, result: number): void
  /** Records how long a connection to the database was waited for. */
  waited(milliseconds: number): void
  /** Records an operation of the content store. Operations that depend on the client's speed have no time. */
  stored(operation: string, milliseconds: number | undefined, failed: boolean): void
  /** Adds gauges that are read on request. */
  add(gauges: readonly Gauge[]): void
  text(): Promise<string>
}

/** A figure that is read on request. */
export interface Gauge {
  /** The Prometheus name, starting with `cloudoc_`. */
  readonly name: string
  readonly help: string
  /** The labels that distinguish its values, if there are several. */
  readonly labels?: readonly string[]
  /**
   * If reading fails or takes longer than two seconds, the figure is omitted: during a database outage the others are
   * needed all the more.
   */
  readonly read: () => number | Promise<number | readonly Labelled[]>
}

/** One of several values, with its labels. */
export interface Labelled {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Prometheus gives up after ten seconds, and then loses all figures. */
const readWithinMs = 2000

/** Creates the metrics of this process. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  // Each measurement of the event loop delay wakes the process: ten times a second is as informative as a hundred
  // times.
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
