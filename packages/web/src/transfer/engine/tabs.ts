/*
 * Several tabs of one account: each task is done by one of them and shown by all. A tab says what it does, answers who
 * asks, and takes up what a closed one has left; of two that want the same the one with the lower name has it. Should two
 * do the same for once, an upload is still stored once (send-file.ts).
 */
import type { TaskView } from './live-task.ts'

/** What is done with a task, or with one file of it. */
export type Command = 'pause' | 'restart' | 'restartFailed' | 'interrupt' | 'restartFile' | 'leaveOut'

type Message =
  | { readonly kind: 'who'; readonly from: string }
  | { readonly kind: 'mine'; readonly from: string; readonly tasks: readonly number[] }
  | { readonly kind: 'views'; readonly from: string; readonly views: readonly TaskView[] }
  | { readonly kind: 'gone'; readonly from: string; readonly taskId: number }
  | { readonly kind: 'bye'; readonly from: string }
  | {
      readonly kind: 'do'
      readonly from: string
      readonly command: Command
      readonly taskId: number
      readonly index: number
    }

export interface TabsOptions {
  readonly accountId: number
  readonly own: () => readonly number[]
  readonly onViews: (views: readonly TaskView[]) => void
  readonly onGone: (taskId: number) => void
  readonly onCommand: (command: Command, taskId: number, index: number) => void
  /** Another tab was closed. */
  readonly onLeft: () => void
}

export interface Tabs {
  /** What other tabs do, and whether another one is asking the same and goes first. */
  taken(): Promise<{ readonly tasks: ReadonlySet<number>; readonly yields: boolean }>
  show(views: readonly TaskView[]): void
  gone(taskId: number): void
  command(command: Command, taskId: number, index: number): void
  close(): void
}

/** Milliseconds that the other tabs have for their answer. */
const answerMs = 300

/** Joins the tabs of an account. */
export function joinTabs(options: TabsOptions): Tabs {
  const { accountId, own, onViews, onGone, onCommand, onLeft } = options
  const from = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const channel = new BroadcastChannel(`cloudoc-transfer-${accountId}`)
  const say: (message: Message) => void = channel.postMessage.bind(channel)
  let asking: { readonly tasks: Set<number>; yields: boolean } | undefined

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    switch (data.kind) {
      case 'who':
        if (asking !== undefined && data.from < from) asking.yields = true
        return say({ kind: 'mine', from, tasks: own() })
      case 'mine':
        for (const taskId of data.tasks) asking?.tasks.add(taskId)
        return
      case 'views':
        return onViews(data.views)
      case 'gone':
        return onGone(data.taskId)
      case 'bye':
        return onLeft()
      case 'do':
        if (own().includes(data.taskId)) onCommand(data.command, data.taskId, data.index)
    }
  }
  const bye = (): void => say({ kind: 'bye', from })
  window.addEventListener('pagehide', bye)

  return {
    async taken() {
      const answers = { tasks: new Set<number>(), yields: false }
      asking = answers
      say({ kind: 'who', from })
      await new Promise((resolve) => setTimeout(resolve, answerMs))
      if (asking === answers) asking = undefined
      return answers
    },
    show: (views) => say({ kind: 'views', from, views }),
    gone: (taskId) => say({ kind: 'gone', from, taskId }),
    command: (command, taskId, index) => say({ kind: 'do', from, command, taskId, index }),
    close() {
      bye()
      window.removeEventListener('pagehide', bye)
      channel.close()
    },
  }
}
