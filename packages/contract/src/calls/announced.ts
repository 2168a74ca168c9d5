/*
 * Notices whose features are still to come ([R090], [R092]-[R100]): their numbers, fields, groups and rules are settled, so
 * that programs can be written and the centre draws them. Nothing sends one yet; the feature that does takes its
 * declaration from here.
 */
import { z } from 'zod'
import { feature } from '../feature.ts'
import { Time } from '../fields.ts'
import { push } from '../push.ts'

/** How a workflow stands ([R092]). */
export const ProcessState = { pending: 0, passed: 1, passedToo: 2, failed: 3, sentBack: 5 } as const
/** What a reminder is about: the first two wait for its receiver. */
export const RemindType = { urge: 1, urgeToo: 2, message: 3, handled: 4, state: 5 } as const
/** What happened to a sensitive file. */
export const AuditState = { added: 1, review: 5 } as const
/** How a signing stands. */
export const ActivityState = { launched: 1, signed: 2, rejected: 4, signedToo: 8 } as const
/** What became of an exchanged file; 4 is approved. */
export const ExchangeState = { approved: 4 } as const

const common = { serverId: z.int(), remindId: z.int() }
const workflow = {
  ...common,
  processId: z.int(),
  processName: z.string(),
  launcherName: z.string(),
  nodeName: z.string(),
  processState: z.enum(ProcessState),
  createTime: Time,
}

const announcedPushes = {
  /** To whoever is to act in a workflow ([R322]). */
  processPlayer: push({
    summary: 'A step of a workflow waits for the receiver (not sent yet)',
    type: 20,
    delivery: 'confirmed',
    notice: { group: 'workflow', key: ({ processId }) => String(processId), merge: 'earlier' },
    payload: z.strictObject(workflow),
  }),
  /** To whoever has begun one ([R323]). */
  processLauncher: push({
    summary: 'A workflow of the receiver went on or ended (not sent yet)',
    type: 21,
    delivery: 'confirmed',
    notice: { group: 'workflow', key: ({ processId }) => `mine ${processId}`, merge: 'later' },
    payload: z.strictObject({ ...workflow, nodeState: z.int() }),
  }),
  emailReceived: push({
    summary: 'A mail came into the mailbox of the receiver (not sent yet)',
    type: 23,
    delivery: 'confirmed',
    notice: { group: 'email', key: ({ mailId }) => String(mailId), merge: 'earlier' },
    payload: z.strictObject({
      ...common,
      mailId: z.int(),
      senderName: z.string(),
      mailTitle: z.string(),
      createTime: Time,
    }),
  }),
  sensitiveFile: push({
    summary: 'A sensitive file was found, or waits for a review (not sent yet)',
    type: 38,
    delivery: 'confirmed',
    notice: {
      group: 'audit',
      key: ({ fileId, version, state }) => `${fileId} ${version} ${state}`,
      merge: 'later',
      // Both states stand for the list that their click opens ([R098]).
      firstOf: ({ state }) => String(state),
      item: ({ fileId }) => ({ fType: 1, fId: fileId }),
    },
    payload: z.strictObject({
      ...common,
      state: z.enum(AuditState),
      userName: z.string(),
      fileId: z.int(),
      fileName: z.string(),
      version: z.int(),
      remindTime: Time,
    }),
  }),
  urgeRemind: push({
    summary: 'Somebody asks the receiver to hurry, or answers that (not sent yet)',
    type: 40,
    delivery: 'confirmed',
    notice: {
      group: 'reminder',
      key: ({ notifyId, remindType }) => `urge ${notifyId} ${remindType}`,
      merge: 'later',
      firstOf: ({ remindType }) =>
        remindType === RemindType.urge || remindType === RemindType.urgeToo ? `urge ${remindType}` : undefined,
    },
    payload: z.strictObject({
      ...common,
      remindType: z.enum(RemindType),
      notifyId: z.int(),
      userName: z.string(),
      fName: z.string(),
      createTime: Time,
    }),
  }),
  fileSign: push({
    summary: 'A document waits for the signature of the receiver, or was signed or refused (not sent yet)',
    type: 58,
    delivery: 'confirmed',
    notice: { group: 'fileSign', key: ({ activityId }) => String(activityId), merge: 'later' },
    payload: z.strictObject({
      ...common,
      activityId: z.int(),
      activityState: z.enum(ActivityState),
      activityTitle: z.string(),
      operatorName: z.string(),
      createTime: Time,
    }),
  }),
  fileExchange: push({
    summary: 'A file that the receiver exchanges was handled (not sent yet)',
    type: 63,
    delivery: 'confirmed',
    notice: { group: 'fileExchange', key: ({ exchangeId }) => String(exchangeId), merge: 'later' },
    payload: z.strictObject({
      ...common,
      exchangeId: z.int(),
      remindStatus: z.int(),
      fName: z.string(),
      operatorName: z.string(),
      createTime: Time,
    }),
  }),
}

export const announced = feature({
  about: { name: 'announced', text: 'Notices whose features are still to come' },
  calls: {},
  pushes: announcedPushes,
})
