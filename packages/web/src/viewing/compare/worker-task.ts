// Work that would hold up the page is done beside it, by a worker of its own, which ends with whoever asked for it.

/** What a worker says: how far it is of how much, what came of it, or why nothing did. */
export type WorkerMessage<T> =
  | { readonly done: number; readonly of: number }
  | { readonly made: T }
  | { readonly failed: string }

/** How work says how far it is. */
export type OnProgress = (done: number, of: number) => void

/** The other side of `beside`, in the worker. */
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
  /** The same work in the page, where no worker can be started. */
  readonly here: () => Promise<(asked: Asked, onStep: OnProgress) => Promise<Made> | Made>
}

/** Has it done; called off, it ends at once. */
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
