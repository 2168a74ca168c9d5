// Reminders by the clock: where many are due for one person, one notice says so.
import { z } from 'zod'
import { feature } from '../feature.ts'
import { Time } from '../fields.ts'
import { push } from '../push.ts'

const listPath = '/doc/folder/cooperate'

export const reminders = feature({
  about: { name: 'reminders', text: 'Reminders by the clock of what waits for a person' },
  calls: {},
  pushes: {
    /** Not in the spec: instead of more than five reminders at once (pushes 20 and 40). */
    remindersDue: push({
      summary: 'More than five things that wait for the person are due for a reminder at once',
      type: 221,
      delivery: 'confirmed',
      notice: {
        group: 'reminder',
        key: () => 'due',
        merge: 'later',
        actor: () => '',
        sentence: ({ count, notifyIdArray, processIdArray }) => ({
          ...(processIdArray.length === 0
            ? { zh: '有 {n} 件催办还在等你处理', en: '{n} follow-ups are still waiting for you' }
            : notifyIdArray.length === 0
              ? { zh: '有 {n} 个流程还在等你处理', en: '{n} workflows are still waiting for you' }
              : {
                  zh: '有 {n} 件催办和流程还在等你处理',
                  en: '{n} follow-ups and workflows are still waiting for you',
                }),
          values: { n: count },
        }),
        path: ({ notifyIdArray }) => `${listPath}/${notifyIdArray.length === 0 ? 'workflow-pending' : 'urge-review'}`,
      },
      payload: z.strictObject({
        serverId: z.int(),
        remindId: z.int(),
        count: z.int().describe('How many things wait.'),
        notifyIdArray: z.array(z.int()).max(1000).describe('The urges among them.'),
        processIdArray: z.array(z.int()).max(1000).describe('The processes among them.'),
        createTime: Time,
      }),
    }),
  },
})
