//! x
#![allow(missing_docs)]
use std::io::Write; use std::sync::Arc; use wurfel_games::einstein::*; use wurfel_games::learned::*; use wurfel_train::*;
fn main(){ let a:Vec<String>=std::env::args().collect();
 match a[1].as_str(){
 "label"=>{ let n:u64=a[2].parse().unwrap(); let depth=a[3].parse().unwrap(); let seed=a[5].parse().unwrap();
  let mut out=std::io::BufWriter::new(std::fs::File::create(&a[6]).unwrap());
  let l=Labels{depth,megabytes:4,seed}; let t=std::time::Instant::now(); let mut c=0u64;
  let mut see=|g:u64,v:Vec<Labelled<Einstein>>|{ for x in v { c+=1; writeln!(out,"{}\t{}",x.position,x.value).unwrap(); } if g%5000==0 {eprintln!("{g} games {c} positions {:?}",t.elapsed());} true};
  if a[4]=="zweistein" { label(0..n,l,&Arc::new(Zweistein::<Official>::new()),2,&mut see) }
  else { let w=Weights::from_bytes(&std::fs::read(&a[4]).unwrap(), <Einstein as wurfel_game::Features>::FEATURES).unwrap(); label(0..n,l,&Arc::new(Learned::new(ZweisteinOdds::<Official>::default(),&w)),2,&mut see) }
 }
 "fit"=>{ let out=&a[2]; let mut data=vec![]; for f in &a[5..] { for line in std::fs::read_to_string(f).unwrap().lines(){ let (p,v)=line.split_once('\t').unwrap(); data.push(Labelled{position:p.parse::<Einstein>().unwrap(),value:v.parse().unwrap()}); } }
  eprintln!("{} positions",data.len());
  let t=std::time::Instant::now();
  let w=fit(&ZweisteinOdds::<Official>::default(),&data,Fit{epochs:a[3].parse().unwrap(),batch:4096,rate:a[4].parse().unwrap(),seed:1},|e|{eprintln!("{e:?} {:?}",t.elapsed());true});
  std::fs::write(out,w.to_bytes()).unwrap();
 }
 _=>panic!() } }
