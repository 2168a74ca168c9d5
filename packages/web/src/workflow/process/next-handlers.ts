// Asks for the handlers of the nodes that come next, where the template lets those who pass choose them ([R265]).
import { t } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import type { ProcessView } from '../shared/workflow-queries.ts'

/** The chosen people by node; undefined if the user gave up. */
export async function nextToChoose(process: ProcessView): Promise<Record<string, number[]> | undefined> {
  const chosen: Record<string, number[]> = {}
  const task = process.tasks.find(({ taskId }) => taskId === process.taskId)
  const passed = task?.seats.filter(({ result }) => result === 'passed').length ?? 0
  // Somebody else has to pass too: the next node is not reached yet.
  if (task === undefined || passed + 1 < task.need) return chosen
  // Only the first node ahead that people decide at is reached by this pass, with those beside it.
  for (const step of process.ahead.slice(0, 1)) {
    if (step.chosenBy === undefined || step.people.length > 0) continue
    const title = t('workflow.chooseNext', { node: step.name })
    const people = await openWindow('people-pick', { title, ok: t('workflow.ok'), picked: [] })
    if (people === undefined || people.length === 0) return undefined
    chosen[step.node] = people.map(({ userId }) => userId)
  }
  return chosen
}
