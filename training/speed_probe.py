import sys, time, torch
import training.selfplay as sp, training.train as tr
from training.network import Network
dev=torch.device('cuda'); torch.set_float32_matmul_precision("high")
def go(tag, game='base', size=16384, reps=3):
    play=sp.SelfPlay(dev); net=Network().to(dev); opt=torch.optim.Adam(net.parameters(),1e-3)
    for n in (4,4,10,4):
        s=sp.Setting(game,n,104,.3,.03)
        cnt=int(size*10*4/(sum(s.deals)*(n+8)/3))
        k=sp.population(cnt,n,2,dev)
        torch.cuda.synchronize(); t=time.time()
        samples,_=play.rounds(s,cnt,2,(net,net,net),k)
        torch.cuda.synchronize(); t1=time.time()
        tr.learn(net,opt,samples,size//4)
        torch.cuda.synchronize(); t2=time.time()
        print(tag,game,n,cnt,'rounds',round(t1-t,3),'learn',round(t2-t1,3),'mem',torch.cuda.max_memory_allocated()>>20,flush=True)
go('plain'); go('plain',size=65536)
t=time.time()
sp.describe=torch.compile(sp.describe,dynamic=True)
sp.play_trick_plain=sp.play_trick
go('compiled describe'); print('compile took',time.time()-t)
go('compiled describe',size=65536); go('compiled','mountain')
from torch.profiler import profile, ProfilerActivity
play=sp.SelfPlay(dev); net=Network().to(dev); s=sp.Setting('base',4,104,.3,.03); k=sp.population(16384,4,2,dev)
with profile(activities=[ProfilerActivity.CUDA,ProfilerActivity.CPU]) as p: play.rounds(s,16384,2,(net,net,net),k); torch.cuda.synchronize()
print(p.key_averages().table(sort_by='cuda_time_total',row_limit=18,max_name_column_width=50)[:6000])
