/*
 * Pushes of features that do not exist yet ([R090], [R092]-[R100], [R338]). Their numbers, fields, groups and rules are
 * fixed, so that client programs can be written and the notification centre can render those that are notices. Nothing
 * sends them yet. The feature that implements one moves its declaration out of this file.
 */
import { ActivityState, AuditState, ExchangeState, ProcessState, RemindType } from '@cloudoc/domain'
import { z } from 'zod'
import { feature } from '../feature.ts'
import { Time } from '../fields.ts'
import { push } from '../push.ts'

const common = { serverId: z.int(), remindId: z.int() }
const workflow = {
  ...common,
  processId: z.int(),
  processName: z.string(),
  launcherName: z.string(),
  nodeName: z.string(),
  nodeState: z.int(),
  processState: z.enum(ProcessState),
  createTime: Time,
}

const announcedPushes = {
  /** Unread messages of a conversation ([R100], [R311]); recalled messages are not counted. */
  messageReceived: push({
    summary: 'Messages came that the receiver has not read (not sent yet)',
    type: 2,
    delivery: 'confirmed',
    notice: { group: 'instantMessage', key: ({ push: kind, id }) => `${kind} ${id}`, merge: 'later' },
    payload: z.strictObject({
      ...common,
      /** Conversation type: with a user or with a group. */
      push: z.enum(['USER', 'GROUP']),
      id: z.int(),
      name: z.string(),
      /** Number of unread messages. */
      length: z.int(),
      createTime: Time,
    }),
  }),
  /** Sent to the users who have to act in a workflow ([R322]). */
  processPlayer: push({
    summary: 'A step of a workflow waits for the receiver (not sent yet)',
    type: 20,
    delivery: 'confirmed',
    notice: { group: 'workflow', key: ({ processId }) => String(processId), merge: 'earlier' },
    payload: z.strictObject({ ...workflow, comment: z.string() }),
  }),
  /** Sent to the user who started a workflow ([R323]). */
  processLauncher: push({
    summary: 'A workflow of the receiver went on or ended (not sent yet)',
    type: 21,
    delivery: 'confirmed',
    notice: { group: 'workflow', key: ({ processId }) => `mine ${processId}`, merge: 'later' },
    payload: z.strictObject({ ...workflow, launcherId: z.int() }),
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
      mailTime: Time,
    }),
  }),
  sensitiveFile: push({
    summary: 'A sensitive file was found, waits for a review, or was reviewed (not sent yet)',
    type: 38,
    delivery: 'confirmed',
    notice: {
      group: 'audit',
      key: ({ fileId, version, state }) => `${fileId} ${version} ${state}`,
      merge: 'later',
      // These two states each open a list when clicked ([R098], [R103]).
      firstOf: ({ state }) => (state === AuditState.added || state === AuditState.review ? String(state) : undefined),
      item: ({ fileId, state }) => (state === AuditState.deleted ? undefined : { fType: 1, fId: fileId }),
    },
    payload: z.strictObject({
      ...common,
      state: z.enum(AuditState),
      fileId: z.int(),
      folderId: z.int(),
      fileName: z.string(),
      version: z.int(),
      uploadName: z.string(),
      /** Name of the reviewer; empty before the review. */
      userName: z.string(),
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
      launchId: z.int(),
      activityId: z.int(),
      activityState: z.enum(ActivityState),
      activityTitle: z.string(),
      operatorName: z.string(),
      createTime: Time,
    }),
  }),
  fileExchange: push({
    summary: 'An exchange of files waits for the receiver, or was handled (not sent yet)',
    type: 63,
    delivery: 'confirmed',
    notice: { group: 'fileExchange', key: ({ applyId }) => String(applyId), merge: 'later', fromMain: true },
    payload: z.strictObject({
      ...common,
      applyId: z.int(),
      approveId: z.int(),
      /** Name of the user who requested or handled it. */
      name: z.string(),
      itemName: z.string(),
      remindStatus: z.enum(ExchangeState),
      createTime: Time,
    }),
  }),
  /** Users who may exchange files have to reload its rules ([R338]). */
  exchangeRulesChanged: push({
    summary: 'The rules of exchanging files have changed (not sent yet)',
    type: 65,
    delivery: 'ephemeral',
    payload: z.strictObject({ serverId: z.int() }),
  }),
}

export const announced = feature({
  about: { name: 'announced', text: 'Pushes whose features are still to come' },
  calls: {},
  pushes: announcedPushes,
})
