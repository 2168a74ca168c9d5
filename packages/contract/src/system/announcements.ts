// Announcements: what an administrator tells everybody, or some departments, for a while.
import { nameInText } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, signedIn, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing, Time, text } from '../fields.ts'
import { push } from '../push.ts'

export const announcementKinds = ['notice', 'maintenance', 'rule'] as const
export type AnnouncementKind = (typeof announcementKinds)[number]

const AnnouncementId = Id.describe('The announcement.')
const ours = { auth: 'required', origin: 'ours' } as const
const shown = {
  announcementId: z.int(),
  title: z.string(),
  text: z.string(),
  kind: z.enum(announcementKinds),
  asksReading: z.boolean().describe('Whether the reader is to say that it was read.'),
}

export const announcements = feature({
  about: { name: 'announcements', text: 'What administrators tell everybody or some departments for a while' },
  calls: {
    getAnnouncements: call({
      summary: 'Lists the announcements in force that the caller has not put away',
      ...ours,
      kind: 'read',
      method: 'GET',
      path: '/services2/announcement/getAnnouncements',
      payload: 'none',
      guard: signedIn,
      input: z.strictObject({}),
      data: z.strictObject({
        list: z.array(z.strictObject({ ...shown, startTime: Time, endTime: Time })),
      }),
    }),
    putAnnouncementAway: call({
      summary: 'Says that an announcement was read',
      title: { zh: '阅读公告', en: 'Read an announcement' },
      audit: 'technical',
      ...ours,
      kind: 'write',
      method: 'POST',
      path: '/services2/announcement/putAnnouncementAway',
      payload: 'json',
      guard: accountHolder,
      input: z.strictObject({ announcementId: AnnouncementId }),
      sample: (ids) => ({ announcementId: ids.userId }),
      data: Nothing,
      codes: ['notFound'],
    }),
    getAnnouncementList: call({
      summary: 'Lists all announcements, with how many people have read each',
      ...ours,
      kind: 'read',
      method: 'GET',
      path: '/services2/announcement/getAnnouncementList',
      payload: 'none',
      guard: systemAdministrator,
      input: z.strictObject({}),
      data: z.strictObject({
        list: z.array(
          z.strictObject({
            ...shown,
            groups: z
              .array(z.strictObject({ groupId: z.int(), groupName: z.string() }))
              .describe('The departments, with those below them; none: everybody.'),
            startTime: Time,
            endTime: Time,
            state: z.enum(['scheduled', 'current', 'ended']),
            creatorName: z.string(),
            people: z.int(),
            read: z.int(),
          }),
        ),
      }),
    }),
    getAnnouncementReaders: call({
      summary: 'Tells how many people of each department have read an announcement',
      ...ours,
      kind: 'read',
      method: 'GET',
      path: '/services2/announcement/getAnnouncementReaders/{announcementId}',
      payload: 'none',
      guard: systemAdministrator,
      input: z.strictObject({ announcementId: AnnouncementId }),
      sample: (ids) => ({ announcementId: ids.userId }),
      data: z.strictObject({
        list: z.array(z.strictObject({ groupName: z.string(), people: z.int(), read: z.int() })),
      }),
      codes: ['notFound'],
    }),
    saveAnnouncement: call({
      summary: 'Writes an announcement, or changes one',
      title: { zh: '发布公告', en: 'Wrote an announcement' },
      notes: 'People are told when it begins. A change of one that has begun does not tell them again.',
      ...ours,
      kind: 'write',
      method: 'POST',
      path: '/services2/announcement/saveAnnouncement',
      payload: 'json',
      guard: systemAdministrator,
      input: z.strictObject({
        announcementId: Id.default(0).describe('0: a new one.'),
        title: text(100)
          .min(1)
          .regex(/\S/)

          .describe('What the strip above the pages says.'),
        text: text(500).default('').describe('What a reader opens.'),
        kind: z.enum(announcementKinds).default('notice').describe('What it is about.'),
        groupIds: z.array(Id).max(100).default([]).describe('The departments, with those below them; none: everybody.'),
        startTime: Time.default(0).describe('0: now.'),
        endTime: Time.describe('When it ends.'),
        asksReading: z.boolean().default(false).describe('Whether readers are asked to say that they read it.'),
      }),
      sample: (ids) => ({ title: '公告', endTime: ids.now + 3_600_000, groupIds: [ids.groupId] }),
      data: z.strictObject({ announcementId: z.int() }),
      codes: ['notFound', 'badRequest'],
    }),
    endAnnouncement: call({
      summary: 'Ends an announcement now',
      title: { zh: '结束公告', en: 'Ended an announcement' },
      ...ours,
      kind: 'write',
      method: 'POST',
      path: '/services2/announcement/endAnnouncement',
      payload: 'json',
      guard: systemAdministrator,
      input: z.strictObject({ announcementId: AnnouncementId }),
      sample: (ids) => ({ announcementId: ids.userId }),
      data: Nothing,
      codes: ['notFound'],
    }),
    remindOfAnnouncement: call({
      summary: 'Tells those who have not read an announcement once more',
      title: { zh: '提醒阅读公告', en: 'Reminded of an announcement' },
      ...ours,
      kind: 'write',
      method: 'POST',
      path: '/services2/announcement/remindOfAnnouncement',
      payload: 'json',
      guard: systemAdministrator,
      input: z.strictObject({ announcementId: AnnouncementId }),
      sample: (ids) => ({ announcementId: ids.userId }),
      data: z.strictObject({ people: z.int() }),
      codes: ['notFound'],
    }),
  },
  pushes: {
    /** Pages fetch the announcements again. The push number is not in the spec. */
    announcementsChanged: push({
      summary: 'An announcement begins, changes or ends',
      type: 240,
      delivery: 'replayed',
      payload: z.strictObject({}),
    }),
    announced: push({
      summary: 'An administrator announces something',
      type: 241,
      delivery: 'confirmed',
      notice: {
        group: 'announcement',
        key: ({ announcementId }) => `announcement ${announcementId}`,
        merge: 'later',
        actor: ({ creatorName }) => creatorName,
        sentence: ({ title }) => ({
          zh: '发布了公告：{name}',
          en: 'announced: {name}',
          values: { name: nameInText(title) },
        }),
        message: ({ text: words }) => words,
      },
      payload: z.strictObject({ serverId: z.int(), remindId: z.int(), ...shown, creatorName: z.string() }),
    }),
  },
})
