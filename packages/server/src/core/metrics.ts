// GET /metrics in the Prometheus format.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observe(call: string, milliseconds: number, result: number): void
  text(): Promise<string>
}

/** The metrics of this process, and of the installation what is damaged; they are read when somebody asks. */
export function createMetrics(read: {
  sockets: () => number
  holding: () => boolean
  damaged: () => Promise<number>
}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'cloudoc_' })
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
  new Gauge({
    name: 'cloudoc_push_sockets',
    help: 'Open push channels.',
    registers: [registry],
    collect() {
      this.set(read.sockets())
    },
  })
  new Gauge({
    name: 'cloudoc_elected',
    help: '1 while this process does the elected work.',
    registers: [registry],
    collect() {
      this.set(read.holding() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'cloudoc_damaged_contents',
    help: 'Contents that were not as they had been stored when they were last read again.',
    registers: [registry],
    async collect() {
      // Without the database there is no number, and the other metrics are wanted all the more.
      this.set(await read.damaged().catch(() => Number.NaN))
    },
  })
  return {
    observe(call, milliseconds, result) {
      duration.observe({ call }, milliseconds / 1000)
      results.inc({ call, result: String(result) })
    },
    text: () => registry.metrics(),
  }
}
