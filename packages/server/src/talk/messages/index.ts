// Messages of conversations and what other features of instant messaging need of them.
import { features } from '@cloudoc/contract'
import type { Contents } from '../../core/blobs/contents.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { createFiler, fileHandlers } from './files.ts'
import { readingHandlers } from './read.ts'
import { writingHandlers } from './send.ts'
import { uploadHandlers } from './uploads.ts'

export { append, type MessageEvent } from './append.ts'
export { audibleTo } from './audience.ts'
export { type ConversationAccess, conversationObjects, memberIds, nextPosition } from './conversations.ts'
export { type SealedContent, unsealRecalled } from './recalled.ts'
export { messageOf, type Reader, readMessages, readMessagesOf, visibleTo } from './records.ts'

/** The handlers of messages. */
export function messageHandlers(services: Services, contents: Contents) {
  const filer = createFiler(services, contents)
  return implement(features.talkMessages.calls, {
    ...writingHandlers(services),
    ...readingHandlers(services),
    ...fileHandlers({ blobs: services.blobs, contents }, filer),
    ...uploadHandlers(services, filer),
  })
}
