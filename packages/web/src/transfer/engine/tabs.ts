/*
 * Coordination of several tabs of one account: each task is run by one tab and shown in all. A tab announces its tasks,
 * answers requests, and resumes the tasks of a closed tab. If two tabs want the same task, the one with the lower name
 * gets it. If two tabs do run the same task, an upload is still stored only once (send-file.ts).
 */
import type { TaskView } from './live-task.ts'

/** A command for a task, or for one file of it. */
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
  /** Called when another tab was closed. */
  readonly onLeft: () => void
}

export interface Tabs {
  /** Returns the tasks that other tabs run, and whether another tab asks at the same time and takes precedence. */
  taken(): Promise<{ readonly tasks: ReadonlySet<number>; readonly yields: boolean }>
  show(views: readonly TaskView[]): void
  gone(taskId: number): void
  command(command: Command, taskId: number, index: number): void
  close(): void
}

/** Milliseconds to wait for the answers of the other tabs. */
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
