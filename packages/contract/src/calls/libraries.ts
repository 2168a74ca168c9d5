// The libraries that a person meets first ([R110]).
import { z } from 'zod'
import { signedIn } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'

const libraryCalls = {
  getRootFolderSetting: call({
    summary: 'Lists the libraries that the caller may see',
    kind: 'read',
    method: 'GET',
    path: '/services2/setting/getRootFolderSetting',
    auth: 'required',
    payload: 'none',
    needs: 'files',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          fId: z.int(),
          fName: z.string(),
          fType: z.literal(2),
          itemIdStr: z.string(),
          rights: z.int(),
          kind: z.enum(['company', 'department', 'personal', 'archive']),
        }),
      ),
    }),
  }),
}

export const libraries = feature({
  about: { name: 'libraries', text: 'Where the tree begins' },
  calls: libraryCalls,
})
