// Workflows of the demo: two templates, and processes in every state.
import type { Answer, CallAnswer, CallInput, CallName, calls, Input } from '@cloudoc/contract'
import { known, type Loaded } from './load.ts'

type Body = Input<typeof calls.saveProcessTemplate>['body']
type Node = Body['nodes'][number]
type Files = (account: string) => Promise<readonly { readonly fId: number }[]>

type Calling = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallAnswer<N>>

/** What the demo has to offer to workflows. */
export interface WorkflowItems {
  /** Documents that somebody may send round. */
  readonly contracts: Files
  readonly drafts: Files
  /** Where contracts are archived, if the installation has the folder. */
  readonly archive: number | undefined
}

const task = (
  id: string,
  name: string,
  ids: readonly number[],
  more: Partial<Extract<Node, { type: 'task' }>> = {},
): Node => ({
  ...{ id, name, type: 'task', handlers: [{ by: 'people', ids: [...ids] }], need: { of: 'one', count: 1 } },
  ...{ refusal: 'ends', empty: { to: 'superior' }, deadline: null, mayReplace: false },
  ...more,
})

/** Edges along a list of pairs of nodes. */
const along = (...pairs: readonly string[]): Body['edges'] =>
  pairs.map((pair) => {
    const [from = '', to = ''] = pair.split(' ')
    return { id: `${from}-${to}`, from, to, when: [], otherwise: false }
  })

/** Templates are published, contracts are sent round, and a seal is asked for. */
export async function sendRound(
  { as, ids }: Pick<Loaded, 'ids'> & { readonly as: (account: string) => Calling },
  items: WorkflowItems,
): Promise<void> {
  const idOf = (account: string): number => known(ids.user, account)
  const publish = async (templateName: string, note: string, body: Body): Promise<number> => {
    const admin = as('admin')
    const { templateId } = await admin('saveProcessTemplate', {
      templateId: 0,
      templateName,
      note,
      body,
      baseVersion: 0,
    })
    await admin('publishProcessTemplate', { templateId, baseVersion: 0 })
    return templateId
  }
  const contract = await publish(
    '合同审批',
    '对外合同和补充协议：法务先看，财务和市场会签，50 万元以上由总经理办公室签发。',
    {
      nodes: [
        { id: 'start', name: '发起', type: 'start' },
        task('law', '法务审核', [idOf('fangyuan'), idOf('shenjia')], {
          mayReplace: true,
          deadline: { hours: 48, action: 'remind', to: [] },
        }),
        { id: 'fork', name: '同时进行', type: 'fork' },
        task('money', '财务会签', [idOf('chenxiao')]),
        task('market', '市场会签', [idOf('songxue')]),
        { id: 'join', name: '', type: 'join' },
        { id: 'large', name: '50 万元以上', type: 'condition' },
        task('office', '签发', [idOf('linxia')]),
        { id: 'archive', name: '归档', type: 'archive', folderId: items.archive ?? 0, pattern: '{date} {title}' },
        { id: 'end', name: '结束', type: 'end' },
      ],
      edges: [
        ...along('start law', 'law fork', 'fork money', 'fork market', 'money join', 'market join', 'join large'),
        {
          id: 'large-office',
          from: 'large',
          to: 'office',
          when: [{ of: 'form.sum', is: 'ge', value: '500000' }],
          otherwise: false,
        },
        { id: 'large-archive', from: 'large', to: 'archive', when: [], otherwise: true },
        ...along('office archive', 'archive end'),
      ],
      fields: [
        { id: 'party', name: '对方', type: 'text', required: true, choices: [] },
        { id: 'sum', name: '合同金额', type: 'money', required: true, choices: [] },
        { id: 'kind', name: '类型', type: 'choice', required: false, choices: ['采购', '销售', '合作'] },
      ],
      ...{ launcherDecides: false, skipsSame: true },
    },
  )
  const seal = await publish('用印申请', '部门负责人同意后，由综合管理部盖章。', {
    nodes: [
      { id: 'start', name: '发起', type: 'start' },
      task('head', '部门负责人', [], {
        handlers: [{ by: 'superior' }],
        empty: { to: 'people', ids: [idOf('zhoujing')] },
      }),
      task('office', '综合管理部', [idOf('zhoujing')]),
      { id: 'end', name: '结束', type: 'end' },
    ],
    edges: along('start head', 'head office', 'office end'),
    fields: [{ id: 'copies', name: '份数', type: 'number', required: true, choices: [] }],
    ...{ launcherDecides: false, skipsSame: false },
  })

  const begin = async (account: string, input: Input<typeof calls.createProcess>): Promise<number> => {
    const { processId } = await as(account)('createProcess', input)
    await as(account)('launchProcess', { processId })
    return processId
  }
  const taskOf = async (account: string, processId: number) => {
    const { list }: Answer<typeof calls.getProcessList> = await as(account)('getProcessList', { list: 'pending' })
    const { taskId = 0, rev = 0 } = list.find((one) => one.processId === processId) ?? {}
    return { processId, taskId, rev }
  }
  const pass = async (account: string, processId: number, comments: string): Promise<void> => {
    await as(account)('passNode', { ...(await taskOf(account, processId)), comments })
  }
  const formOf = (party: string, sum: string, kind: string) =>
    Object.entries({ party, sum, kind }).map(([field, value]) => ({ field, value }))

  const [large, small, wrong] = await items.contracts('zhengshuang')
  if (items.archive !== undefined && large && small && wrong) {
    const first = await begin('zhengshuang', {
      ...{ templateId: contract, title: '华东区渠道合作协议', fileId: large.fId },
      ...{
        form: formOf('苏州启明科技有限公司', '860000.00', '合作'),
        comments: '第 4 条按上次会议的口径改过，请重点看。',
      },
    })
    await pass('fangyuan', first, '第 4 条账期改为 45 天，其余无意见。')
    await pass('songxue', first, '返利口径和渠道政策一致。')
    const second = await begin('zhengshuang', {
      ...{ templateId: contract, title: '设备采购补充协议', fileId: small.fId },
      form: formOf('杭州远景设备有限公司', '128000.00', '采购'),
    })
    await as('fangyuan')('backNode', {
      ...(await taskOf('fangyuan', second)),
      ...{ node: 'start', comments: '附件缺少双方盖章页，请补齐后再提交。' },
    })
    const third = await begin('zhengshuang', {
      ...{ templateId: contract, title: '年度框架合同', fileId: wrong.fId },
      form: formOf('宁波海岳贸易有限公司', '1560000.00', '销售'),
    })
    for (const [account, comments] of [
      ['fangyuan', '同意。'],
      ['chenxiao', '回款条件可以接受。'],
      ['songxue', '同意。'],
    ] as const)
      await pass(account, third, comments)
  }
  const [letter, notice] = await items.drafts('linxia')
  if (letter) {
    const done = await begin('linxia', {
      ...{ templateId: seal, title: '合作意向函用印', fileId: letter.fId, form: [{ field: 'copies', value: '2' }] },
    })
    await pass('zhaoguodong', done, '同意。')
    await pass('zhoujing', done, '已盖章，纸质件在前台。')
  }
  if (notice)
    await as('linxia')('createProcess', {
      ...{ templateId: seal, title: '放假通知用印', fileId: notice.fId, form: [{ field: 'copies', value: '1' }] },
    })
}
