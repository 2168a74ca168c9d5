// The calls by which people decide a node of a process, or hand it to others.
import type { features } from '@cloudoc/contract'
import type { Handlers } from '../../core/call/implement.ts'
import { checkForm, checkPeople, decide } from './checks.ts'
import { basisOf, lockProcess, templateOf } from './run.ts'

/** The handlers of decisions. */
export function decisionHandlers(): Pick<
  Handlers<typeof features.processes.calls>,
  | 'passNode'
  | 'failNode'
  | 'backNode'
  | 'handOnNode'
  | 'addNodeHandler'
  | 'assignNode'
  | 'setProcessFolder'
  | 'startNode'
> {
  return {
    passNode: (context, { chosen, ...input }) => decide(context, input, 'pass', { choose: chosen }),
    failNode: (context, input) => decide(context, input, 'fail', {}),
    backNode: (context, { node, ...input }) => decide(context, input, 'back', { to: node }),

    async handOnNode(context, { userId, ...input }) {
      await checkPeople(context, [userId])
      return decide(context, input, 'handOn', { to: userId })
    },

    async addNodeHandler(context, { userId, place, ...input }) {
      await checkPeople(context, [userId])
      return decide(context, input, 'add', { to: userId, place })
    },

    async assignNode(context, { userIdArray, ...input }) {
      await checkPeople(context, userIdArray)
      return decide(context, input, 'assign', { to: userIdArray })
    },

    setProcessFolder: (context, { folderId, ...input }) =>
      decide(context, input, 'folder', folderId === undefined ? {} : { folderId }),

    async startNode(context, { title, form, chosen, ...input }) {
      const row = await lockProcess(context.tx, input.processId)
      const values = form ?? row.form
      checkForm((await templateOf(context.tx, row)).body, values)
      await checkPeople(context, Object.values(chosen).flat())
      const changes = { form: values, ...(title !== undefined && { title: title.trim() }) }
      const basis = basisOf(row.item_version, values)
      return decide(context, input, 'resubmit', { basis, choose: chosen }, changes)
    },
  }
}
