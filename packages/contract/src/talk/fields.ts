// What the calls of instant messaging share: the conversation as an object of gates, and the records of messages.
import { all, fact, limits, type TalkRole, talkDataTypes } from '@cloudoc/domain'
import { z } from 'zod'
import { objectKind, on } from '../authority.ts'
import { Id, Time, text } from '../fields.ts'

/** The facts of a conversation as one person sees it. Without a membership, present or past, it does not exist. */
export interface FactsOfConversation {
  readonly isGroup: boolean
  readonly isMember: boolean
  readonly role: TalkRole
  readonly isDissolved: boolean
  readonly allMuted: boolean
  /** The other person can still be written to; true for groups. */
  readonly isPeerThere: boolean
  /** The rules of the company let the person write to the other (X74); true for groups. */
  readonly isAllowed: boolean
  /** It is the group of a library, which people join by themselves. */
  readonly isOfLibrary: boolean
  /** Other members may invite too; they do so subject to approval where the group asks for it. */
  readonly approvesInvites: boolean
  /** Only owner and managers mention everybody. */
  readonly leadersMentionAll: boolean
}

const exists = fact<FactsOfConversation>('not dissolved', ({ isDissolved }) => !isDissolved)
const member = fact<FactsOfConversation>('a member', ({ isMember }) => isMember)
const group = fact<FactsOfConversation>('a group', ({ isGroup }) => isGroup)
const peer = fact<FactsOfConversation>('somebody who reads it', ({ isPeerThere }) => isPeerThere)
const allowed = fact<FactsOfConversation>('allowed by the rules of the company', ({ isAllowed }) => isAllowed)
const ownGroup = fact<FactsOfConversation>('not of a library', ({ isOfLibrary }) => !isOfLibrary)
const leads = fact<FactsOfConversation>('owner or manager', ({ role }) => role !== 'member')
const owns = fact<FactsOfConversation>('owner', ({ role }) => role === 'owner')
const voice = fact<FactsOfConversation>('not muted', ({ allMuted, role }) => !allMuted || role !== 'member')

/** The actions on a conversation. */
export type ConversationAction = 'see' | 'keep' | 'write' | 'change' | 'invite' | 'manage' | 'own' | 'leave'

/** Conversations of two people, and groups. */
export const conversationKind = objectKind<FactsOfConversation, ConversationAction>('conversation', {
  see: fact('known to the person', () => true),
  /** What members do for themselves: reading marks, typing. */
  keep: member,
  write: all(member, exists, peer, allowed, voice),
  /** Recalling, editing and reacting: possible for a member who may not write new messages. */
  change: all(member, exists),
  invite: all(member, exists, group, ownGroup),
  manage: all(member, exists, group, leads),
  own: all(member, exists, group, owns),
  leave: all(member, exists, group),
})

/** The gate of one conversation that a call names. */
export const at =
  (action: ConversationAction, lock?: 'change') =>
  ({ conversationId }: { readonly conversationId: number }) => [on(conversationKind, conversationId, action, lock)]

export const conversation = { conversationId: Id.describe('The conversation.') }

/** Fields of calls that read. */
export const reading = {
  kind: 'read',
  method: 'GET',
  auth: 'required',
  origin: 'ours',
  timeoutMs: limits.talkTimeoutMs,
} as const

/** Fields of calls that change something. */
export const writing = {
  kind: 'write',
  method: 'POST',
  auth: 'required',
  payload: 'json',
  origin: 'ours',
  log: 'none',
  audit: 'technical',
  timeoutMs: limits.talkTimeoutMs,
} as const

/** Fields of calls that people make all the time: they are not recorded one by one. */
export const frequent = { ...writing, unrecorded: true } as const

export const PushKind = z.enum(['USER', 'GROUP'])
export const DataType = z.enum(talkDataTypes)
export const TalkPerson = z.strictObject({ userId: z.int(), name: z.string() })

/** What the system line of a group reports. */
export const NotifyWhat = z.enum([
  'created',
  'joined',
  'removed',
  'left',
  'renamed',
  'announced',
  'muted',
  'unmuted',
  'role',
  'owner',
  'dissolved',
])

/** One message of a merged forward. */
const TalkEntry = z.strictObject({
  name: z.string(),
  timestamp: Time,
  type: DataType,
  /** The words, or the name of the file. Empty unless the message still is as it was when it was forwarded. */
  value: z.string(),
  /** What became of the message since: edited, recalled, or deleted when its time was over. */
  state: z.enum(['edited', 'recalled', 'gone']).optional(),
  fType: z.union([z.literal(1), z.literal(2)]).optional(),
  fId: z.int().optional(),
})
export type TalkEntry = z.output<typeof TalkEntry>

/** The data of a message by its kind (X73). */
export const TalkData = z
  .strictObject({
    type: DataType,
    /** Of pictures and files; of a link its title. */
    name: z.string().optional(),
    size: z.int().optional(),
    width: z.int().optional(),
    height: z.int().optional(),
    /** When the file is deleted. */
    expiresAt: Time.optional(),
    /** The file has been deleted. */
    expired: z.literal(true).optional(),
    /** Of `link`. */
    url: z.string().optional(),
    /** Of `share`: the item, whose rights are those of the reader. */
    fType: z.union([z.literal(1), z.literal(2)]).optional(),
    fId: z.int().optional(),
    /** Of `notify`. */
    what: NotifyWhat.optional(),
    people: z.array(TalkPerson).optional(),
    /** Of a merged forward. */
    records: z.array(TalkEntry).optional(),
  })
  .meta({ id: 'TalkData' })
export type TalkData = z.output<typeof TalkData>

/** A message ([R294]). */
export const TalkMessage = z
  .strictObject({
    id: z.int(),
    conversationId: z.int(),
    /** Its place in the conversation, the same for everybody. */
    number: z.int(),
    /** The position of its last change. */
    changed: z.int(),
    push: PushKind,
    from: z.int(),
    fromName: z.string(),
    /** The group, or the person it was written to. */
    to: z.int(),
    type: z.enum(['GET', 'SEND']),
    send: z.literal('DONE'),
    read: z.boolean(),
    timestamp: Time,
    recall: z.boolean(),
    source: z.literal('WS'),
    uuid: z.string(),
    fileId: z.int(),
    /** Empty for a recalled message, and for one that was edited after the reader had left. */
    value: z.string(),
    data: TalkData,
    editedAt: Time.nullable(),
    /** It was edited after the reader had left the group; the present text is not the reader's. */
    withheld: z.boolean(),
    /** The number of the message that it quotes; 0 for none. */
    quote: z.int(),
    /** Who is meant; 0 is everybody. The name is the one that stands in the text. */
    mentions: z.array(TalkPerson),
    reactions: z.array(
      z.strictObject({
        emoji: z.string(),
        count: z.int(),
        /** At most 100 of them. */
        userIds: z.array(z.int()),
      }),
    ),
  })
  .meta({ id: 'TalkMessage' })
export type TalkMessage = z.output<typeof TalkMessage>

/** A conversation in the list of a person ([R294]): a recent contact. */
export const TalkChat = z
  .strictObject({
    conversationId: z.int(),
    push: PushKind,
    /** The person, or the group. */
    id: z.int(),
    /** Empty for a person who is no longer there. */
    name: z.string(),
    /** 1 group, 2 and 3 a person (X40). */
    type: z.int(),
    /** Of a person: ONLINE or OFFLINE; of a group empty. */
    status: z.enum(['ONLINE', 'OFFLINE', '']),
    /** The id of the picture; empty for none. */
    avatar: z.string(),
    members: z.int(),
    founderId: z.int(),
    role: z.enum(['owner', 'manager', 'member']),
    isMember: z.boolean(),
    dissolved: z.boolean(),
    mayWrite: z.boolean(),
    mute: z.boolean(),
    top: z.boolean(),
    /** Taken off the list until something new is written. */
    aside: z.boolean(),
    timestamp: Time,
    /** The text of the last message in one line; empty where there is none. */
    last: TalkMessage.nullable(),
    /** Exact up to 100. */
    unread: z.int(),
    /** Somebody has mentioned the person since. */
    mentioned: z.boolean(),
    markedUnread: z.boolean(),
    readNumber: z.int(),
    /** The newest message that the person may read. */
    lastNumber: z.int(),
    /** How far the other person has read; 0 for groups. */
    peerReadNumber: z.int(),
    draft: z.string(),
    draftTime: Time.nullable(),
    allMuted: z.boolean(),
    approvesInvites: z.boolean(),
    /** Only owner and managers mention everybody. */
    leadersMentionAll: z.boolean(),
    showsHistory: z.boolean(),
    /** The library whose people the group is for; 0 for none. */
    libraryId: z.int(),
    announcement: z.string(),
    announcedBy: z.string(),
    announcedAt: Time.nullable(),
  })
  .meta({ id: 'TalkChat' })
export type TalkChat = z.output<typeof TalkChat>

/** A v4 UUID made by the sender's client: repeated requests with it make one message. */
export const Uuid = text(36)
  .regex(/^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/)
  .describe('A UUID that the caller makes: sent again, the call answers what it did the first time.')
/** The text of a message ([R298]). */
export const MessageText = text(limits.longestMessage).describe('The text of the message.')
