// Signing in the demo: the company's authority and a seal, one contract that is being signed and one that is archived.
import type { CallAnswer, CallInput, CallName } from '@cloudoc/contract'
import { demoPassword } from './company.ts'
import { known, type Loaded } from './load.ts'
import { sealPicture } from './pictures.ts'

type Calling = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallAnswer<N>>

/** What is signed in the demo. */
export interface SigningItems {
  readonly files: readonly { readonly fId: number; readonly fName: string }[]
  readonly archive: number | undefined
}

/** Contracts are sent to be signed; the first one is signed by everybody, the second one waits. */
export async function signContracts(
  { as, ids }: Pick<Loaded, 'ids'> & { readonly as: (account: string) => Calling },
  { files: [first, second], archive }: SigningItems,
): Promise<void> {
  if (first === undefined || second === undefined || archive === undefined) return
  const idOf = (account: string): number => known(ids.user, account)
  const admin = as('admin')
  await admin('createSignAuthority', { name: '华信集团' })
  await admin('createSeal', {
    ...{ name: '合同专用章', picture: sealPicture('华信集团', '合同专用章') },
    userIdArray: [idOf('fangyuan'), idOf('shenjia')],
  })
  const launch = async (
    file: { readonly fId: number; readonly fName: string },
    signers: readonly string[],
    comment: string,
  ): Promise<number> => {
    const { activityId } = await as('fangyuan')('launchSign', {
      ...{ fileId: file.fId, archiveFolderId: archive, title: file.fName.replace(/\.pdf$/, ''), comment, order: true },
      singerList: signers.map((account) => ({ userId: idOf(account) })),
    })
    return activityId
  }
  const sign = async (account: string, activityId: number): Promise<void> => {
    const { revision } = await as(account)('getSignDetail', { activityId })
    await as(account)('sign', { activityId, revision, password: demoPassword })
  }
  const done = await launch(first, ['shenjia', 'chenxiao'], '条款已核对，请依次签署。')
  for (const account of ['shenjia', 'chenxiao']) await sign(account, done)
  const open = await launch(second, ['shenjia', 'linxia', 'songxue'], '本周五前签完，签好后自动归档。')
  await sign('shenjia', open)
}
