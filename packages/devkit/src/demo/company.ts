import type { RightsGroup } from '@cloudoc/domain'

export interface DemoGroup {
  key: string
  name: string
  /** Absent for a department directly below the company. */
  parent?: string
}

export interface DemoPerson {
  account: string
  name: string
  group: string
  secretLevel?: number
  roles?: string[]
}

/** Rights entries of one library root or folder; they replace the existing ones. */
export interface DemoShare {
  library: DemoLibrary
  path: string[]
  /** Whether inherited entries apply; false closes the folder to everybody without an entry. */
  inherit: boolean
  entries: { type: 'group' | 'role' | 'user'; key: string; rights: RightsGroup }[]
}

export interface DemoLibrary {
  kind: 'company' | 'department' | 'personal'
  /** The key of the department or the account of the owner; none for the company. */
  key?: string
}

export interface DemoCompany {
  name: string
  groups: DemoGroup[]
  people: DemoPerson[]
  roles: { key: string; name: string }[]
  shares: DemoShare[]
}

/**
 * Password of all demo users. It is published in the README, so an installation with demo data is for evaluation only.
 */
export const demoPassword = 'Cloudoc#2026'

const groups: DemoGroup[] = [
  { key: 'office', name: '总经理办公室' },
  { key: 'admin', name: '综合管理部' },
  { key: 'hr', name: '人力资源部' },
  { key: 'finance', name: '财务部' },
  { key: 'legal', name: '法务部' },
  { key: 'rd', name: '研发中心' },
  { key: 'platform', name: '平台研发部', parent: 'rd' },
  { key: 'qa', name: '测试部', parent: 'rd' },
  { key: 'marketing', name: '市场部' },
  { key: 'sales', name: '销售中心' },
  { key: 'east', name: '华东销售部', parent: 'sales' },
  { key: 'service', name: '客户服务部' },
]

const people: DemoPerson[] = [
  { account: 'zhaoguodong', name: '赵国栋', group: 'office', secretLevel: 3, roles: ['manager'] },
  { account: 'linxia', name: '林夏', group: 'office', secretLevel: 2, roles: ['librarian'] },
  { account: 'hanmei', name: '韩梅', group: 'office', secretLevel: 2 },
  { account: 'zhoujing', name: '周静', group: 'admin', secretLevel: 1, roles: ['manager', 'librarian'] },
  { account: 'wupeng', name: '吴鹏', group: 'admin' },
  { account: 'sunli', name: '孙丽', group: 'admin' },
  { account: 'wangmin', name: '王敏', group: 'hr', secretLevel: 2, roles: ['manager'] },
  { account: 'liuyang', name: '刘洋', group: 'hr', secretLevel: 1 },
  { account: 'heshan', name: '何珊', group: 'hr' },
  { account: 'chenxiao', name: '陈晓', group: 'finance', secretLevel: 2, roles: ['manager'] },
  { account: 'xuhui', name: '徐慧', group: 'finance', secretLevel: 1 },
  { account: 'malin', name: '马琳', group: 'finance', secretLevel: 1 },
  { account: 'dengjie', name: '邓杰', group: 'finance' },
  { account: 'fangyuan', name: '方圆', group: 'legal', secretLevel: 2, roles: ['manager', 'auditor'] },
  { account: 'shenjia', name: '沈佳', group: 'legal', secretLevel: 1, roles: ['auditor'] },
  { account: 'gaofeng', name: '高峰', group: 'rd', secretLevel: 2, roles: ['manager'] },
  { account: 'luwei', name: '陆伟', group: 'rd', secretLevel: 1, roles: ['project'] },
  { account: 'tangning', name: '唐宁', group: 'platform', secretLevel: 1, roles: ['manager'] },
  { account: 'yangfan', name: '杨帆', group: 'platform' },
  { account: 'xiejun', name: '谢军', group: 'platform' },
  { account: 'panyue', name: '潘越', group: 'platform' },
  { account: 'caohui', name: '曹辉', group: 'platform' },
  { account: 'weilan', name: '魏兰', group: 'platform' },
  { account: 'jiangtao', name: '蒋涛', group: 'qa', secretLevel: 1, roles: ['manager'] },
  { account: 'dingna', name: '丁娜', group: 'qa' },
  { account: 'xuelei', name: '薛磊', group: 'qa' },
  { account: 'yaqin', name: '雅琴', group: 'qa' },
  { account: 'songxue', name: '宋雪', group: 'marketing', secretLevel: 1, roles: ['manager'] },
  { account: 'fuming', name: '傅明', group: 'marketing' },
  { account: 'luoqi', name: '罗琪', group: 'marketing' },
  { account: 'baiyun', name: '白云', group: 'marketing' },
  { account: 'zhanghao', name: '张浩', group: 'sales', secretLevel: 2, roles: ['manager', 'project'] },
  { account: 'liting', name: '李婷', group: 'sales' },
  { account: 'huangbo', name: '黄波', group: 'sales' },
  { account: 'guoqiang', name: '郭强', group: 'east', secretLevel: 1, roles: ['manager'] },
  { account: 'zhengshuang', name: '郑爽', group: 'east' },
  { account: 'caiwen', name: '蔡雯', group: 'east' },
  { account: 'yuanli', name: '袁莉', group: 'service', secretLevel: 1, roles: ['manager'] },
  { account: 'tianye', name: '田野', group: 'service' },
  { account: 'renjing', name: '任静', group: 'service' },
]

const departmentShares: DemoShare[] = groups.map(({ key }) => ({
  library: { kind: 'department', key },
  path: [],
  inherit: true,
  entries: [
    { type: 'group', key, rights: 'edit' },
    ...people
      .filter((person) => person.group === key && person.roles?.includes('manager'))
      .map(({ account }) => ({ type: 'user' as const, key: account, rights: 'full' as const })),
  ],
}))

const shares: DemoShare[] = [
  {
    library: { kind: 'company' },
    path: [],
    inherit: true,
    entries: [
      ...groups
        .filter((group) => !group.parent)
        .map(({ key }) => ({ type: 'group' as const, key, rights: 'download' as const })),
      { type: 'role', key: 'manager', rights: 'edit' },
      { type: 'role', key: 'librarian', rights: 'full' },
    ],
  },
  ...departmentShares,
  {
    library: { kind: 'department', key: 'legal' },
    path: ['合同归档'],
    inherit: true,
    entries: [
      { type: 'group', key: 'finance', rights: 'download' },
      { type: 'group', key: 'sales', rights: 'preview' },
    ],
  },
  {
    library: { kind: 'department', key: 'hr' },
    path: ['绩效考核'],
    inherit: false,
    entries: [
      { type: 'user', key: 'wangmin', rights: 'full' },
      { type: 'user', key: 'liuyang', rights: 'edit' },
      { type: 'user', key: 'zhaoguodong', rights: 'preview' },
    ],
  },
  {
    library: { kind: 'department', key: 'finance' },
    path: ['审计'],
    inherit: true,
    entries: [{ type: 'role', key: 'auditor', rights: 'download' }],
  },
  {
    library: { kind: 'department', key: 'rd' },
    path: ['项目管理'],
    inherit: true,
    entries: [{ type: 'role', key: 'project', rights: 'edit' }],
  },
]

/** The demo company. */
export const demoCompany: DemoCompany = {
  name: '华信集团',
  groups,
  people,
  roles: [
    { key: 'manager', name: '部门经理' },
    { key: 'librarian', name: '文档管理员' },
    { key: 'auditor', name: '审计员' },
    { key: 'project', name: '项目经理' },
  ],
  shares,
}
