// Checks of what people enter in a process.
import { fail, formProblems, type Template, type WorkflowAct } from '@cloudoc/domain'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { knownOf } from '../../people/organisation/index.ts'
import type { Acting } from './process-row.ts'
import { seatFor } from './read.ts'
import { type Changes, lockProcess, perform, templateOf } from './run.ts'

export const actingOf = (context: WriteContext): Acting => {
  const { accountId, name } = actorOf(context)
  return { tx: context.tx, now: context.now, actor: { accountId, name }, event: (event) => context.event(event) }
}

/** Nobody is named whom the caller may not see. */
export async function checkPeople(context: WriteContext, ids: readonly number[]): Promise<void> {
  const asked = [...new Set(ids)].map((subjectId) => ({ subjectType: 'user', subjectId }) as const)
  const known = await knownOf(context.tx, actorOf(context), asked)
  if (known.length < asked.length)
    fail('notFound', { zh: '有人员不存在或已离开', en: 'somebody who is not there, or has left' })
}

/** Refuses what a form lacks, by the name of the field. */
export function checkForm(template: Template, form: Readonly<Record<string, string>>): void {
  const [first] = formProblems(template, form)
  if (first === undefined) return
  const name = template.fields.find(({ id }) => id === first.field)?.name ?? first.field
  fail('badRequest', { zh: `请检查“${name}”`, en: `check “${name}”` })
}

export interface Deciding {
  readonly processId: number
  readonly taskId: number
  readonly rev: number
  readonly comments: string
}

type Decision = Extract<WorkflowAct, { readonly task: number; readonly rev: number }>
type DecisionOf<A extends Decision['act']> = Extract<Decision, { readonly act: A }>
type Rest<A extends Decision['act']> = Omit<DecisionOf<A>, 'act' | 'task' | 'rev' | 'account' | 'by' | 'comments'>

/** Applies a decision of the caller, for themselves or as a stand-in. */
export async function decide<A extends Decision['act']>(
  context: WriteContext,
  input: Deciding,
  act: A,
  rest: Rest<A>,
  changes: Changes = {},
): Promise<Record<string, never>> {
  const { tx, now } = context
  const { accountId } = actorOf(context)
  const row = await lockProcess(tx, input.processId)
  const account = await seatFor(tx, row, input.taskId, accountId, now)
  const { body } = await templateOf(tx, row)
  // Not through a stand-in either.
  if (account !== accountId && accountId === row.launcher_id && !body.launcherDecides)
    return fail('noPermission', { zh: '发起人不能处理自己的流程', en: 'the launcher does not decide about it' })
  const decided = {
    ...{ act, task: input.taskId, rev: input.rev, account, comments: input.comments },
    ...(account !== accountId && { by: accountId }),
    ...rest,
  } as unknown as WorkflowAct
  await perform(actingOf(context), row, decided, changes)
  context.audit({ processId: input.processId, taskId: input.taskId })
  return {}
}
