/**
 * Texts of the demo company. Each kind of document is a template with slots. A document draws its facts once (customer,
 * project, people, amounts), so that each text is consistent and no two texts are equal.
 */
import { demoCompany } from './company.ts'
import { type Random, random } from './random.ts'

export interface Table {
  columns: string[]
  rows: (string | number)[][]
}

/** The content of a document, independent of the file format. */
export interface Writing {
  title: string
  author: string
  /** 2025-03-18 */
  date: string
  sections: { heading: string; paragraphs: string[] }[]
  table: Table
}

type Kind = {
  title: string
  sections: [heading: string, ...sentences: string[]][]
  /** Column heading and the slot that fills it. */
  table: [column: string, slot: Slot][]
}

const customers = [
  '江海港务集团',
  '明远汽车零部件',
  '东临市人民医院',
  '青禾农业科技',
  '凌云航空制造',
  '天成电力设计院',
  '北辰轨道交通',
  '蓝湾置业',
  '和泰保险',
  '鼎丰商业银行',
  '安澜水务',
  '金穗粮油',
  '华都百货',
  '启明职业学院',
  '瑞康制药',
  '星河传媒',
  '长青林业',
  '远航物流',
  '宏图建工',
  '思源环保',
  '卓越精密仪器',
  '同济口腔连锁',
  '云岭旅游开发',
  '玉衡新材料',
]
const projects = [
  '档案数字化',
  '智慧园区',
  '协同办公平台',
  '数据中心扩容',
  '供应链协同',
  '移动审批',
  '质量追溯系统',
  '统一身份认证',
  '合同管理系统',
  '客户服务热线升级',
  '设备联网监测',
  '电子签章推广',
  '知识库建设',
  '预算管控平台',
  '异地灾备',
  '办公网络改造',
  '生产看板',
  '培训学习平台',
  '招标采购门户',
  '碳排放核算',
  '会议室智能化',
  '财务共享中心',
]
const goods = [
  '机架式服务器',
  '万兆交换机',
  '高速扫描仪',
  '存储扩展柜',
  '防火墙',
  '不间断电源',
  '激光打印机',
  '会议平板',
  '工业网关',
  '条码终端',
  '无线接入点',
  '光纤跳线',
  '笔记本电脑',
  '显示器',
  '视频会议终端',
  '温湿度传感器',
  '门禁控制器',
  '磁带库',
]
const cities = ['上海', '杭州', '南京', '苏州', '宁波', '合肥', '武汉', '成都', '西安', '青岛', '广州', '厦门']
const states = ['已完成', '进行中', '待评审', '待付款', '已验收', '延期', '已关闭']
const risks = [
  '关键岗位人员变动',
  '上游接口延期交付',
  '历史数据质量不高',
  '并发高峰时响应变慢',
  '供应商交货周期拉长',
  '现场网络条件不足',
  '需求范围反复变化',
  '测试环境资源紧张',
  '用户培训覆盖不够',
  '备份窗口不足',
]
const actions = [
  '补充接口说明并组织联调',
  '完成数据清洗和抽样复核',
  '与客户确认里程碑计划',
  '安排两轮压力测试',
  '更新操作手册并组织培训',
  '完成合同盖章和归档',
  '整理常见问题并发布到知识库',
  '核对库存并提交采购申请',
  '完成服务器上架和布线',
  '梳理权限清单并收回多余授权',
  '确认付款节点和发票信息',
  '复盘故障原因并落实改进',
  '汇总各部门意见并形成修订稿',
]

const slots = {
  customer: (r: Random) => r.pick(customers),
  project: (r: Random) => r.pick(projects),
  goods: (r: Random) => r.pick(goods),
  place: (r: Random) => r.pick(cities),
  state: (r: Random) => r.pick(states),
  risk: (r: Random) => r.pick(risks),
  action: (r: Random) => r.pick(actions),
  person: (r: Random) => r.pick(demoCompany.people).name,
  colleague: (r: Random) => r.pick(demoCompany.people).name,
  department: (r: Random) => r.pick(demoCompany.groups).name,
  date: (r: Random) => day(r),
  money: (r: Random) => r.whole(12, 4800) * 250,
  count: (r: Random) => r.whole(3, 480),
  days: (r: Random) => r.whole(5, 90),
  percent: (r: Random) => r.whole(61, 99),
  score: (r: Random) => r.whole(72, 100),
  number: (r: Random) => r.whole(10000, 99999),
}
type Slot = keyof typeof slots

function day(r: Random): string {
  const month = r.whole(0, 17)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${2025 + Math.floor(month / 12)}-${two((month % 12) + 1)}-${two(r.whole(1, 28))}`
}

const kinds = {
  contract: {
    title: '{customer}{project}项目合同',
    sections: [
      [
        '合同标的',
        '甲方{customer}委托乙方华信集团实施{project}项目，合同编号为 HX-{number}。',
        '交付内容包括{goods}{count}台及配套的安装、调试和培训服务。',
        '乙方应在合同生效后{days}日内完成到货，并由双方代表共同开箱验收。',
      ],
      [
        '价款与支付',
        '本合同总价为人民币{money}元，含税，税率为百分之六。',
        '合同签订后支付百分之三十，到货验收后支付百分之六十，余款在质保期满后支付。',
        '乙方应在每次收款前提供合法有效的增值税专用发票。',
      ],
      [
        '质量保证',
        '质保期为终验合格之日起三十六个月，响应时间不超过四小时。',
        '质保期内同一设备连续两次发生相同故障的，乙方应予更换。',
        '乙方在{place}设立备件库，保证常用备件的可用率不低于百分之{percent}。',
      ],
      [
        '违约责任',
        '任何一方迟延履行的，每迟延一日按未履行部分价款的千分之一支付违约金。',
        '违约金累计不超过合同总价的百分之十，超过时守约方有权解除合同。',
        '因不可抗力不能履行的，应在七日内书面通知对方并提供证明。',
      ],
    ],
    table: [
      ['名称', 'goods'],
      ['数量', 'count'],
      ['金额（元）', 'money'],
      ['交货地点', 'place'],
      ['交货日期', 'date'],
    ],
  },
  minutes: {
    title: '{project}项目例会纪要 {date}',
    sections: [
      [
        '会议概况',
        '会议于{date}在{place}会议室召开，由{person}主持，{colleague}记录。',
        '{department}、客户服务部和{customer}的代表共{count}人参加。',
        '会议听取了{project}项目的阶段汇报，并对下一步安排进行了讨论。',
      ],
      [
        '讨论要点',
        '{person}指出，{risk}已经影响到联调计划，需要在{days}天内给出办法。',
        '{colleague}介绍了{customer}的反馈，整体满意度为百分之{percent}。',
        '与会人员一致认为应优先{action}，其余事项按原计划推进。',
      ],
      [
        '决议事项',
        '由{person}牵头{action}，完成时间为{date}。',
        '由{department}{action}，每周五通报进展。',
        '下次例会定于{date}召开，请各责任人提前一天提交书面材料。',
      ],
    ],
    table: [
      ['事项', 'action'],
      ['责任人', 'person'],
      ['完成日期', 'date'],
      ['状态', 'state'],
    ],
  },
  report: {
    title: '{project}工作周报 {date}',
    sections: [
      [
        '本周完成',
        '本周{action}，累计处理问题{count}项。',
        '{person}赴{place}拜访{customer}，就{project}的范围达成一致。',
        '代码评审通过率为百分之{percent}，较上周有所提高。',
      ],
      [
        '存在问题',
        '目前主要风险是{risk}，预计影响{days}天。',
        '{goods}到货数量比计划少{count}台，已催促供应商补齐。',
        '{department}的配合人员尚未落实，需要{person}协调。',
      ],
      [
        '下周计划',
        '{action}，由{colleague}负责。',
        '完成{customer}现场的第{days}批数据核对。',
        '准备{date}的阶段评审材料。',
      ],
    ],
    table: [
      ['任务', 'action'],
      ['负责人', 'person'],
      ['进度（%）', 'percent'],
      ['状态', 'state'],
    ],
  },
  rule: {
    title: '{project}管理办法（{date}修订）',
    sections: [
      [
        '总则',
        '为规范{project}相关工作，明确职责，提高效率，制定本办法。',
        '本办法适用于集团总部及各分支机构，{department}为归口管理部门。',
        '各部门应当指定专人负责，并于{date}前报{department}备案。',
      ],
      [
        '职责分工',
        '{department}负责制度的解释、检查和考核。',
        '各部门负责人对本部门资料的真实性和完整性负责。',
        '{person}为联络人，负责汇总各单位意见并每季度通报一次。',
      ],
      [
        '工作流程',
        '申请人填写申请单，经部门负责人审核后提交{department}。',
        '金额超过{money}元的事项，应当提交总经理办公会审议。',
        '审批应在{days}个工作日内完成，逾期视为需要重新提交。',
      ],
      [
        '监督检查',
        '每半年组织一次专项检查，抽查比例不低于百分之{percent}。',
        '发现违规行为的，责令限期整改，情节严重的按员工手册处理。',
        '本办法自{date}起施行，原有规定与本办法不一致的以本办法为准。',
      ],
    ],
    table: [
      ['环节', 'action'],
      ['责任部门', 'department'],
      ['时限（工作日）', 'days'],
    ],
  },
  notice: {
    title: '关于{place}办公区{project}的通知',
    sections: [
      [
        '通知事项',
        '各部门：根据集团年度安排，定于{date}起在{place}办公区实施{project}工作。',
        '施工期间{department}将临时调整办公位置，涉及人员共{count}人。',
        '请大家提前整理个人物品，重要资料及时上传到企业云文档。',
      ],
      [
        '时间安排',
        '第一阶段用时{days}天，完成{goods}的安装。',
        '第二阶段由{person}负责验收，发现问题当日反馈。',
        '周末加班的同事可在{date}前登记调休。',
      ],
      [
        '注意事项',
        '请保管好门禁卡和钥匙，离开时关闭电源。',
        '如遇紧急情况请联系{colleague}，分机号{number}。',
        '给大家带来的不便敬请谅解。',
      ],
    ],
    table: [
      ['区域', 'place'],
      ['部门', 'department'],
      ['人数', 'count'],
      ['日期', 'date'],
    ],
  },
  proposal: {
    title: '{customer}{project}解决方案',
    sections: [
      [
        '项目背景',
        '{customer}现有业务系统建设于多年以前，资料分散在各部门，查找一份文件平均需要{days}分钟。',
        '随着业务扩展到{place}等地，{risk}的问题日益突出。',
        '客户希望通过{project}实现资料集中、流程在线和权限可控。',
      ],
      [
        '建设目标',
        '一年内完成{count}个业务流程的在线化，覆盖率达到百分之{percent}。',
        '建立统一的目录体系和密级体系，做到谁可以看、看过什么都有记录。',
        '与现有的财务系统和人事系统打通，减少重复录入。',
      ],
      [
        '总体方案',
        '平台部署在客户{place}机房，采用{goods}作为基础设施，双机热备。',
        '文件统一存放并保留历史版本，支持在线预览和全文检索。',
        '按部门划分文档库，跨部门共享需要审批并设定有效期。',
      ],
      [
        '实施计划',
        '项目总工期{days}天，分为调研、开发、试运行和验收四个阶段。',
        '项目经理由{person}担任，技术负责人为{colleague}。',
        '培训共安排{count}课时，覆盖全部关键用户。',
      ],
      [
        '投资估算',
        '项目投资估算为{money}元，其中软件占百分之四十，硬件占百分之四十五。',
        '三年内预计节约人力和纸张费用{money}元。',
        '运行维护费用按年收取，第一年免费。',
      ],
    ],
    table: [
      ['阶段', 'action'],
      ['开始日期', 'date'],
      ['工期（天）', 'days'],
      ['预算（元）', 'money'],
    ],
  },
  requirement: {
    title: '{project}需求规格说明书',
    sections: [
      [
        '范围',
        '本说明书描述{project}第一期的功能需求，读者为{department}和测试人员。',
        '系统用户约{count}人，其中外部用户来自{customer}。',
        '移动端只提供查询和审批，不提供编辑。',
      ],
      [
        '功能需求',
        '用户可以按名称、拼音首字母和内容检索，结果按权限过滤。',
        '审批人可以在列表中批量同意或退回，退回时必须填写原因。',
        '系统每天凌晨生成统计报表，并推送给{person}等管理人员。',
      ],
      [
        '性能需求',
        '在{count}个并发用户下，列表打开时间不超过一秒。',
        '单个文件大小不超过{days}GB，断点续传成功率不低于百分之{percent}。',
        '数据库每日备份，恢复时间不超过四小时。',
      ],
      [
        '约束与假设',
        '部署环境由{customer}提供，{goods}已经到位。',
        '假设在{date}前完成账号同步。',
        '已知风险为{risk}，应对办法是{action}。',
      ],
    ],
    table: [
      ['需求', 'action'],
      ['提出部门', 'department'],
      ['优先级（分）', 'score'],
      ['状态', 'state'],
    ],
  },
  test: {
    title: '{project}测试报告 V{days}',
    sections: [
      [
        '测试概述',
        '本轮测试于{date}开始，历时{days}天，由{person}负责。',
        '共执行用例{count}条，通过率为百分之{percent}。',
        '测试环境为{place}机房的{goods}，数据来自{customer}的脱敏样本。',
      ],
      [
        '缺陷分析',
        '发现的缺陷主要集中在权限判断和大文件上传两个模块。',
        '严重缺陷{days}个，已全部修复并回归。',
        '性能下降的原因是{risk}，建议{action}。',
      ],
      [
        '测试结论',
        '系统满足上线条件，遗留问题不影响主要流程。',
        '建议在{date}前完成一次灰度发布。',
        '上线后由{colleague}跟踪两周。',
      ],
    ],
    table: [
      ['用例', 'action'],
      ['执行人', 'person'],
      ['次数', 'count'],
      ['得分', 'score'],
      ['结果', 'state'],
    ],
  },
  training: {
    title: '{project}培训教材（{department}）',
    sections: [
      [
        '课程介绍',
        '本课程面向{department}的新员工，共{days}课时，由{person}主讲。',
        '学完以后，学员应能独立完成日常操作并处理常见问题。',
        '考核成绩{score}分以上颁发结业证书。',
      ],
      [
        '核心概念',
        '文档库是权限管理的基本单位，部门库由部门经理管理。',
        '密级决定谁能看到内容，授权决定谁能修改内容，两者缺一不可。',
        '版本是文件的历史，恢复旧版本不会删除新版本。',
      ],
      [
        '操作练习',
        '练习一：新建文件夹并把{goods}的说明书上传进去。',
        '练习二：给{colleague}授权预览，并设置{days}天后失效。',
        '练习三：从回收站恢复误删的文件，核对大小是否一致。',
      ],
    ],
    table: [
      ['学员', 'person'],
      ['部门', 'department'],
      ['成绩', 'score'],
      ['日期', 'date'],
    ],
  },
  budget: {
    title: '{department}{project}预算说明',
    sections: [
      [
        '编制依据',
        '本预算依据集团年度经营目标和{department}上年实际支出编制。',
        '汇率、税率和人工成本按财务部{date}发布的口径执行。',
        '较上年增加的部分主要用于{project}。',
      ],
      [
        '收支情况',
        '预计全年支出{money}元，其中固定费用占百分之{percent}。',
        '采购{goods}{count}台，单价较上年下降。',
        '差旅费用控制在{money}元以内，优先采用视频会议。',
      ],
      [
        '控制措施',
        '超出预算的支出须提前{days}天提出申请，由{person}审核。',
        '每月五日前通报执行进度，偏差超过百分之十的应书面说明。',
        '年底结余不结转，确有需要的另行申请。',
      ],
    ],
    table: [
      ['科目', 'goods'],
      ['部门', 'department'],
      ['预算（元）', 'money'],
      ['执行率（%）', 'percent'],
    ],
  },
  audit: {
    title: '{department}{project}专项审计报告',
    sections: [
      [
        '审计情况',
        '审计组于{date}进驻{department}，抽查凭证{count}份，访谈{days}人次。',
        '审计范围包括{project}的立项、采购、验收和付款。',
        '被审计部门提供了必要的资料并作出书面承诺。',
      ],
      [
        '发现问题',
        '部分采购未按规定比价，涉及金额{money}元。',
        '有{days}份合同在盖章前已经开始履行。',
        '资产台账与实物不一致，{goods}账面比实际多{days}台。',
      ],
      [
        '审计建议',
        '建议{action}，并在{days}天内反馈整改结果。',
        '建议由{person}牵头修订授权审批制度。',
        '建议把合同台账放到企业云文档统一管理，按密级授权。',
      ],
    ],
    table: [
      ['问题', 'risk'],
      ['涉及金额（元）', 'money'],
      ['责任人', 'person'],
      ['整改期限', 'date'],
      ['状态', 'state'],
    ],
  },
  visit: {
    title: '{customer}拜访记录 {date}',
    sections: [
      [
        '拜访情况',
        '{date}，{person}与{colleague}到{place}拜访{customer}，会见了信息部门负责人。',
        '双方就{project}的进度和付款交换了意见。',
        '客户现有用户{count}人，计划明年扩展到分公司。',
      ],
      [
        '客户反馈',
        '客户对服务响应表示满意，评分{score}分。',
        '客户提出检索结果需要按部门归类，并希望支持手机预览。',
        '客户担心{risk}，希望我方{action}。',
      ],
      [
        '后续跟进',
        '{colleague}在{days}天内提交书面方案。',
        '邀请客户参加{date}在{place}举办的用户交流会。',
        '预计可签约金额{money}元。',
      ],
    ],
    table: [
      ['联系事项', 'action'],
      ['负责人', 'person'],
      ['金额（元）', 'money'],
      ['日期', 'date'],
    ],
  },
  market: {
    title: '{place}{project}推广活动方案',
    sections: [
      [
        '活动目标',
        '面向{place}地区的制造业客户，收集有效线索{count}条。',
        '提升{project}产品的认知度，现场满意度达到百分之{percent}。',
        '促成{days}家客户进入试用。',
      ],
      [
        '活动安排',
        '活动时间为{date}，地点在{place}国际会议中心。',
        '主题演讲由{person}担任，案例分享邀请{customer}。',
        '现场设置{goods}体验区，由{colleague}负责讲解。',
      ],
      [
        '费用与分工',
        '活动预算{money}元，场地费占三分之一。',
        '{department}负责邀约，市场部负责物料。',
        '活动结束后{days}天内提交总结。',
      ],
    ],
    table: [
      ['任务', 'action'],
      ['负责人', 'person'],
      ['费用（元）', 'money'],
      ['完成日期', 'date'],
    ],
  },
  recruit: {
    title: '{department}招聘计划 {date}',
    sections: [
      [
        '招聘需求',
        '{department}因{project}项目需要新增岗位{days}个。',
        '岗位要求本科以上学历，三年以上相关经验。',
        '工作地点为{place}，可接受短期出差。',
      ],
      [
        '招聘渠道',
        '校园招聘在{place}的{days}所高校开展。',
        '内部推荐成功的，给予推荐人{money}元奖励。',
        '与两家猎头公司续签协议，重点寻找架构师。',
      ],
      [
        '时间安排',
        '{date}前完成简历筛选，预计收到简历{count}份。',
        '面试由{person}和{colleague}共同负责。',
        '新员工入职后安排{days}天的岗前培训。',
      ],
    ],
    table: [
      ['姓名', 'person'],
      ['部门', 'department'],
      ['面试得分', 'score'],
      ['日期', 'date'],
      ['状态', 'state'],
    ],
  },
  emergency: {
    title: '{place}机房{project}应急预案',
    sections: [
      [
        '适用范围',
        '本预案适用于{place}机房断电、断网和{goods}故障等突发事件。',
        '总指挥由{person}担任，值班电话为分机{number}。',
        '预案每年演练两次，最近一次演练时间为{date}。',
      ],
      [
        '处置流程',
        '值班人员发现异常后五分钟内报告，并在系统中登记。',
        '首先保证数据安全，必要时切换到灾备中心，切换时间不超过{days}分钟。',
        '恢复后由{colleague}核对{count}项检查清单。',
      ],
      [
        '后期处置',
        '事件结束后{days}小时内提交书面报告。',
        '针对{risk}，应当{action}。',
        '涉及客户的，由客户服务部统一答复。',
      ],
    ],
    table: [
      ['检查项', 'goods'],
      ['数量', 'count'],
      ['检查人', 'person'],
      ['日期', 'date'],
      ['状态', 'state'],
    ],
  },
  ticket: {
    title: '服务工单 {number} {goods}',
    sections: [
      ['报修内容', '{customer}反映{goods}运行异常，影响{count}名用户。', '报修时间{date}，受理人{person}。'],
      ['处理过程', '经远程检查，初步判断为{risk}。', '工程师{colleague}到{place}现场{action}，用时{days}分钟。'],
      ['处理结果', '故障已排除，客户评分{score}分，工单已关闭。'],
    ],
    table: [
      ['工单', 'number'],
      ['设备', 'goods'],
      ['工程师', 'person'],
      ['用时（分钟）', 'days'],
      ['评分', 'score'],
    ],
  },
} satisfies Record<string, Kind>

/** The kinds of documents. */
export type WritingKind = keyof typeof kinds

/** Generates one document; deterministic per seed. `rows` is the number of table rows. */
export function write(kind: WritingKind, seed: string, rows = 6): Writing {
  const r = random(seed)
  const { title, sections, table }: Kind = kinds[kind]
  const date = day(r)
  const fixed = new Map<string, string>([['date', date]])
  for (const name of ['customer', 'project', 'goods', 'person', 'place', 'department'] satisfies Slot[])
    fixed.set(name, slots[name](r))
  const draw = (slot: Slot) => (slot === 'date' ? later(date, r.whole(3, 90)) : slots[slot](r))
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => fixed.get(name) ?? (isSlot(name) ? String(draw(name)) : name))
  return {
    title: fill(title),
    author: fixed.get('person') ?? '',
    date,
    sections: sections.map(([heading, ...sentences], index) => {
      // The first section uses the document's own date, the others use future dates.
      if (index === 1) fixed.delete('date')
      return { heading, paragraphs: sentences.map(fill) }
    }),
    table: {
      columns: table.map(([column]) => column),
      rows: Array.from({ length: rows }, () => table.map(([, slot]) => draw(slot))),
    },
  }
}

function later(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

function isSlot(name: string): name is Slot {
  return Object.hasOwn(slots, name)
}

/** Returns the text as a list of plain paragraphs. */
export function lines({ title, author, date, sections, table }: Writing): string[] {
  return [
    title,
    `${author}  ${date}`,
    ...sections.flatMap(({ heading, paragraphs }) => [heading, ...paragraphs]),
    ...(table.rows.length > 0 ? [table.columns, ...table.rows].map((row) => row.join('  ')) : []),
  ]
}
