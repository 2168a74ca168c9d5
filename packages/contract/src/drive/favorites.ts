// Favourites ([R238]): files and folders that a user marked with a star (flag 64).
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Flag, Id, IdArray, ItemRecord, Nothing, pageOf, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { file, folder } from './items.ts'

const one = { kind: 'write', method: 'POST', auth: 'required', payload: 'none', origin: 'ours' } as const
const codes = ['notFound', 'tooMany'] as const

const favoriteCalls = {
  fileFavoriteAdd: call({
    ...one,
    summary: 'Makes a file a favourite',
    title: { zh: '收藏', en: 'Favourite' },
    log: 'none',
    path: '/services2/favorite/fileFavoriteAdd/{fileId}',
    gate: ({ fileId }) => [{ item: file(fileId), action: 'favorite' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: Nothing,
    codes,
  }),
  fileFavoriteDel: call({
    ...one,
    summary: 'Ends that a file is a favourite',
    title: { zh: '取消收藏', en: 'Favourite ended' },
    log: 'none',
    path: '/services2/favorite/fileFavoriteDel/{fileId}',
    gate: ({ fileId }) => [{ item: file(fileId), action: 'favorite' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: Nothing,
    codes,
  }),
  folderFavoriteAdd: call({
    ...one,
    summary: 'Makes a folder a favourite',
    title: { zh: '收藏', en: 'Favourite' },
    log: 'none',
    path: '/services2/favorite/folderFavoriteAdd/{folderId}',
    gate: ({ folderId }) => [{ item: folder(folderId), action: 'favorite' }],
    input: z.strictObject({ folderId: Id }),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: Nothing,
    codes,
  }),
  folderFavoriteDel: call({
    ...one,
    summary: 'Ends that a folder is a favourite',
    title: { zh: '取消收藏', en: 'Favourite ended' },
    log: 'none',
    path: '/services2/favorite/folderFavoriteDel/{folderId}',
    gate: ({ folderId }) => [{ item: folder(folderId), action: 'favorite' }],
    input: z.strictObject({ folderId: Id }),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: Nothing,
    codes,
  }),
  /** Same for many items at once. */
  setFavorites: call({
    summary: 'Makes items favourites, or ends that',
    title: { zh: '收藏或取消收藏', en: 'Favourites changed' },
    log: 'none',
    kind: 'batch',
    method: 'POST',
    path: '/services2/favorite/setFavorites',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: ({ fileIdArray, folderIdArray }) => [...fileIdArray.map(file), ...folderIdArray.map(folder)],
      gate: (item) => [{ item, action: 'favorite' }],
    },
    input: z.strictObject({
      fileIdArray: IdArray.default([]),
      folderIdArray: IdArray.default([]),
      favorite: Flag.default(true),
    }),
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes,
  }),
  /** Favourites that the caller may see: folders first, then files, newest first in each group. */
  getFavoriteList: call({
    summary: 'Lists the caller’s favourites',
    kind: 'read',
    method: 'GET',
    path: '/services2/favorite/getFavoriteList',
    auth: 'required',
    payload: 'query',
    needs: 'files',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ ...pageOf(60, 1000), keyword: text(100).default('') }),
    data: z.strictObject({
      list: z.array(ItemRecord.extend({ favoriteTime: Time }).meta({ id: 'FavoriteItem' })),
      total: z.int(),
    }),
  }),
}

const favoritePushes = {
  /** The user changed their favourites, on this or another device. */
  favoritesChanged: push({
    summary: 'A favourite of the person has changed on another page',
    type: 143,
    delivery: 'replayed',
    payload: z.strictObject({ fId: z.int(), fType: z.union([z.literal(1), z.literal(2)]) }),
  }),
}

export const favorites = feature({
  about: { name: 'favourites', text: 'Files and folders that people want at hand' },
  calls: favoriteCalls,
  pushes: favoritePushes,
})
