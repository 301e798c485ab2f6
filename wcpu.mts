// wcpu.mts <roots,comma> <peer job> <plugin> <op> <params> [runs] [turns]
import { WarmWorker } from './bench/measure/warm-worker.js';
import { jobs } from './bench/peers/jobs.js';
import { readFileSync } from 'node:fs';
const [roots, name, plugin, op, params, n='30', turns='4'] = process.argv.slice(2) as string[];
const job = jobs.find(j=>j.name===name)!; const inputs=[...((await job.ours.before?.())??[]),...await job.inputs()];
const cpu=(pid:number)=>{ const t=readFileSync(`/proc/${pid}/stat`,'utf8'); const r=t.slice(t.lastIndexOf(')')+2).split(' '); return (+r[11]!+ +r[12]!)*10; };
const ws=await Promise.all(roots!.split(',').map(async root=>({root,w:await WarmWorker.start('operations',{root}),found:[] as number[]})));
for(const x of ws) for(let i=0;i<20;i++) await x.w.run(plugin!,op!,inputs,JSON.parse(params!));
for(let t=0;t<+turns;t++) for(const x of ws){ const c=cpu(x.w.pid); for(let i=0;i<+n;i++) await x.w.run(plugin!,op!,inputs,JSON.parse(params!)); x.found.push((cpu(x.w.pid)-c)/+n); }
for(const x of ws){ console.log(x.root.padEnd(24), x.found.map(v=>v.toFixed(1)).join(' '), 'median', [...x.found].sort((a,b)=>a-b)[Math.floor(x.found.length/2)]!.toFixed(1)); await x.w.stop(); }
