// The windows of messaging ([R068], [R301]).
import { t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import type { ContentPreviewProps } from '../viewing/previewer/content-preview.tsx'
import { withTexts } from './page-texts.ts'
import type { Target } from './parts/targets.ts'
import type { ContactGroupProps } from './windows/contact-group.tsx'
import type { FriendsPicked, FriendsPickerProps } from './windows/friends-picker.tsx'
import type { LogProps } from './windows/log.tsx'
import type { LogContextProps } from './windows/log-context.tsx'
import type { PicturesProps } from './windows/pictures.tsx'
import type { ReadByProps } from './windows/read-by.tsx'
import type { SearchProps } from './windows/search.tsx'
import type { SharePickProps } from './windows/share-pick.tsx'

const id = (query: URLSearchParams, name: string): number => Number(query.get(name) ?? 0)
const conversation = (query: URLSearchParams) => ({ conversationId: id(query, 'conversationId') })

export const talkWindows = {
  /** A file of a conversation, in the viewers of the previewer. */
  'im-file': win<ContentPreviewProps>({
    title: 'talk.rail',
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('../viewing/previewer/content-preview.tsx').then((module) => module.ContentPreview),
    sample: { fName: '合同.docx', fileSize: 1024, url: '/im/api/filePreview/1/1' },
  }),
  'im-search': win<SearchProps>({
    title: 'talk.window.search',
    size: { width: 860, height: 600 },
    single: true,
    load: () => withTexts(() => import('./windows/search.tsx')).then((module) => module.SearchWindow),
    fromQuery: (query) => ({ keyword: query.get('keyword') ?? '' }),
    sample: {},
  }),
  'im-chat-log': win<LogProps>({
    title: ({ name }) => (name === undefined || name === '' ? t('talk.window.log') : t('talk.window.logOf', { name })),
    size: { width: 720, height: 600 },
    load: () => withTexts(() => import('./windows/log.tsx')).then((module) => module.LogWindow),
    fromQuery: conversation,
    sample: { conversationId: 1 },
  }),
  'im-chat-log-context': win<LogContextProps>({
    title: 'talk.window.context',
    size: { width: 640, height: 600 },
    load: () => withTexts(() => import('./windows/log-context.tsx')).then((module) => module.LogContextWindow),
    fromQuery: (query) => ({ ...conversation(query), number: id(query, 'number') }),
    sample: { conversationId: 1, number: 1 },
  }),
  'im-share-pick': win<SharePickProps, Target[]>({
    title: 'talk.window.share',
    size: { width: 710, height: 480 },
    minSize: { width: 710, height: 480 },
    load: () => withTexts(() => import('./windows/share-pick.tsx')).then((module) => module.SharePickWindow),
    fromQuery: (query) => ({ broadcastType: query.get('broadcastType') ?? 'share' }),
    sample: { broadcastType: 'share' },
  }),
  'im-img-viewer': win<PicturesProps>({
    title: 'talk.window.picture',
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => withTexts(() => import('./windows/pictures.tsx')).then((module) => module.PicturesWindow),
    fromQuery: (query) => ({ ...conversation(query), number: id(query, 'number') }),
    sample: { conversationId: 1, number: 1 },
  }),
  'im-friends-picker': win<FriendsPickerProps, FriendsPicked>({
    title: 'talk.window.pick',
    size: { width: 640, height: 600 },
    load: () => withTexts(() => import('./windows/friends-picker.tsx')).then((module) => module.FriendsPickerWindow),
    fromQuery: () => ({ purpose: 'group', picked: [], present: [] }),
    sample: { purpose: 'group', picked: [], present: [] },
  }),
  'im-read-by': win<ReadByProps>({
    title: 'talk.window.readBy',
    size: { width: 420, height: 480 },
    load: () => withTexts(() => import('./windows/read-by.tsx')).then((module) => module.ReadByWindow),
    sample: { conversationId: 1, number: 1 },
  }),
  'cloudoc-concat-group-create': win<ContactGroupProps, number>({
    title: 'talk.window.contacts',
    size: { width: 520, height: 480 },
    load: () => withTexts(() => import('./windows/contact-group.tsx')).then((module) => module.ContactGroupWindow),
    fromQuery: () => ({}),
    sample: {},
  }),
}
