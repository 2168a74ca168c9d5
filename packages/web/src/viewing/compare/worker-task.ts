// Runs expensive work in a dedicated worker instead of the main thread. The worker ends with its caller.

/** The messages of a worker: progress, result or error. */
export type WorkerMessage<T> =
  | { readonly done: number; readonly of: number }
  | { readonly made: T }
  | { readonly failed: string }

/** Reports the progress of the work. */
export type OnProgress = (done: number, of: number) => void

/** The worker side of `beside`. */
export function serveWorker<Made>(work: (asked: never, onStep: OnProgress) => Promise<Made> | Made): void {
  const say: (said: WorkerMessage<Made>) => void = self.postMessage.bind(self)
  self.onmessage = async ({ data }: MessageEvent) => {
    try {
      say({ made: await work(data as never, (done, of) => say({ done, of })) })
    } catch (error) {
      say({ failed: error instanceof Error ? error.message : String(error) })
    }
  }
}

interface WorkerTask<Asked, Made> {
  readonly start: () => Worker
  /** Runs the same work in the page, where no worker can be started. */
  readonly here: () => Promise<(asked: Asked, onStep: OnProgress) => Promise<Made> | Made>
}

/** Runs the work. Ends at once when it is aborted. */
export function runInWorker<Asked, Made>(
  { start, here }: WorkerTask<Asked, Made>,
  asked: Asked,
  { signal, onStep = () => undefined }: { readonly signal: AbortSignal; readonly onStep?: OnProgress },
): Promise<Made> {
  return new Promise((resolve, reject) => {
    let worker: Worker | undefined
    const end = (): void => worker?.terminate()
    const inPage = (): void => {
      end()
      here()
        .then((work) => work(asked, onStep))
        .then(resolve, reject)
    }
    if (signal.aborted) return reject(signal.reason as Error)
    signal.addEventListener('abort', () => {
      end()
      reject(signal.reason as Error)
    })
    try {
      worker = start()
    } catch {
      return inPage()
    }
    worker.onerror = inPage
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage<Made>>) => {
      if ('done' in data) return onStep(data.done, data.of)
      end()
      if ('made' in data) resolve(data.made)
      else reject(new Error(data.failed))
    }
    worker.postMessage(asked, [])
  })
}
